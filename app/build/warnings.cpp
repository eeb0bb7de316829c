#include "app/build/warnings.hpp"

#include <algorithm>

#include "app/base/files.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

// Whether the build compiled that source: "[3/9] Building CXX object …/mine_part1.cpp.o".
bool has_compiled(const std::string& log, const std::string& source) {
    return std::ranges::any_of(lines_of(log), [&](const std::string& line) {
        return line.starts_with("[") && line.find("Building CXX object") != std::string::npos &&
               line.find("/" + source + ".o") != std::string::npos;
    });
}

}  // namespace

std::string warnings_about(const std::filesystem::path& place, const std::string& log, const std::string& found) {
    const std::filesystem::path kept = place.string() + ".warnings";
    const std::string fingerprint = read_file(place);
    if (has_compiled(log, place.filename().string())) {
        write_atomically(kept, fingerprint + found);
        return found;
    }
    const std::string text = read_file(kept);
    return text.starts_with(fingerprint) ? text.substr(fingerprint.size()) : "";
}

}  // namespace workbook::app
