#include "app/build/inclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include "app/base/files.hpp"
#include "app/base/system/process.hpp"
#include "app/base/text.hpp"
#include "app/build/symbols.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

bool is_within(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

// The files that an object was compiled from, as the compiler told the build.
std::string dependencies_of(const fs::path& build_dir, const std::string& object) {
    return everything_printed_by({"ninja", "-C", build_dir.string(), "-t", "deps", object});
}

// A worked solution, a step made from one, the reference or the tests; given code is fine.
bool gives_answers(const fs::path& path, const fs::path& source_dir, const fs::path& build_dir) {
    return (is_within(path, source_dir) && path.filename() == "solution.cpp") ||
           is_within(path, source_dir / "reference") || is_within(path, source_dir / "tests") ||
           is_within(path, build_dir / "skeletons");
}

std::string included_answer(const fs::path& source_dir, const fs::path& build_dir, const fs::path& file,
                            const std::string& object) {
    for (const std::string& line : lines_of(dependencies_of(build_dir, object))) {
        if (!line.starts_with("    ")) {
            continue;
        }
        const fs::path path = fs::weakly_canonical(build_dir / line.substr(4));
        if (path != fs::weakly_canonical(file) && gives_answers(path, source_dir, build_dir)) {
            return path.lexically_relative(source_dir).string();
        }
    }
    return "";
}

// The beginnings of the names of functions that only tests call, as compilers write them.
bool calls_tests(const fs::path& object) {
    const std::string names = read_file(object);
    constexpr std::array<const char*, 3> callees{"N8workbook9reference", "N8workbook7grading", "N7testing"};
    return std::ranges::any_of(callees, [&](const char* name) { return names.find(name) != std::string::npos; });
}

}  // namespace

void expect_includable(const fs::path& file) {
    for (const char c : file.string()) {
        if (c == '"' || (c >= 0 && c < ' ')) {
            const std::string what = c == '"' ? "a double quote" : "a control character";
            throw UnusableFile(
                fmt::format("{} cannot be compiled where it is: its path has {} in it. Copy or rename it",
                            harmless(file.filename().string()), what));
        }
    }
}

std::string borrowed_code(const fs::path& source_dir, const fs::path& build_dir, const fs::path& file,
                          const std::string& object) {
    const std::string answer = included_answer(source_dir, build_dir, file, object);
    if (answer.ends_with("solution.cpp") || answer.find("skeletons") != std::string::npos) {
        return "your file includes the worked solution: " + answer;
    }
    if (!answer.empty()) {
        return "your file includes code of the tests: " + answer;
    }
    if (calls_tests(build_dir / object)) {
        return "your file calls code of the tests";
    }
    const std::string foreign = foreign_definitions(build_dir / object);
    return foreign.empty() ? ""
                           : fmt::format(
                                 "your file defines {}, which the tests would then use too: give it another name, or "
                                 "put it into namespace {{ … }}",
                                 foreign);
}

}  // namespace workbook::app
