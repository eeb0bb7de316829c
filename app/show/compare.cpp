#include "app/show/compare.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/system/process.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

constexpr std::size_t side_by_side_from = 160;

bool fits_two(std::size_t columns) {
    return columns >= side_by_side_from;
}

std::string painted(const std::string& line, const Style& style) {
    return line.starts_with("-") ? style.bad(line) : line.starts_with("+") ? style.good(line) : line;
}

// The lines of a unified diff with their whole context: what comes before the first of them names files and places.
std::string body_of(const std::string& unified, const Style& style) {
    std::string text;
    bool in_body = false;
    for (const std::string& line : lines_of(unified)) {
        if (in_body) {
            text += painted(line, style) + "\n";
        }
        in_body = in_body || line.starts_with("@@");
    }
    return text;
}

}  // namespace

std::string compared(const std::string& mine, const std::string& worked, std::size_t columns, const Style& style) {
    const TemporaryFile left(mine);
    const TemporaryFile right(worked);
    std::vector<std::string> command{"diff"};
    if (fits_two(columns)) {
        command.insert(command.end(), {"-y", "-t", "-W", std::to_string(columns)});
    } else {
        command.insert(command.end(), {"-U", "1000"});
    }
    command.insert(command.end(), {left.path().string(), right.path().string()});
    const RunResult result = run(command, {});
    if (result.exit_code > 1 || result.signal != 0) {
        throw std::runtime_error("diff failed: " + result.output);
    }
    return fits_two(columns) ? result.output : body_of(result.output, style);
}

std::string legend(const std::string& mine, const std::string& worked, std::size_t columns, const Style& style) {
    if (fits_two(columns)) {
        return padded("yours: " + mine, columns / 2 + 1) + "worked: " + worked + "\n";
    }
    return fmt::format("{} yours: {}\n{} worked: {}\n", style.bad("-"), mine, style.good("+"), worked);
}

}  // namespace workbook::app
