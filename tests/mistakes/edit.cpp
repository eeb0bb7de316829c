#include "tests/mistakes/edit.hpp"

#include <fmt/format.h>

#include "app/base/text.hpp"

namespace workbook::edits {

namespace {

// Where the lines start in the text.
std::vector<std::size_t> occurrences(const std::string& text, const std::string& lines) {
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(lines); at != std::string::npos; at = text.find(lines, at + 1)) {
        if (at == 0 || text[at - 1] == '\n') {
            places.push_back(at);
        }
    }
    return places;
}

}  // namespace

std::string part_of_answer(const std::filesystem::path& file) {
    const bool is_solution = file.filename() == "solution.cpp";
    const std::string name = is_solution ? file.parent_path().filename().string() : file.stem().string();
    const std::string first = name.substr(0, name.find('_'));
    return first.starts_with("part") ? first.substr(4) : first;
}

std::string Edit::part() const {
    return part_of_answer(base);
}

Edit parse_edit(const std::string& text) {
    std::vector<std::string> lines = app::lines_of(text);
    Edit edit;
    if (lines.empty() || !lines.front().ends_with(".cpp")) {
        throw EditError("the first line has to name a solution");
    }
    edit.base = lines.front();
    lines.erase(lines.begin());
    std::string* open = nullptr;
    for (const std::string& line : lines) {
        if (line == "<<<<<<<" && open == nullptr) {
            edit.replacements.emplace_back();
            open = &edit.replacements.back().before;
        } else if (line == "=======" && open != nullptr) {
            open = &edit.replacements.back().after;
        } else if (line == ">>>>>>>" && open != nullptr) {
            open = nullptr;
        } else if (open != nullptr) {
            *open += line + "\n";
        } else if (!line.empty()) {
            throw EditError("this line belongs to no replacement: " + line);
        }
    }
    if (edit.replacements.empty() || open != nullptr) {
        throw EditError("a replacement has no end, or there is none");
    }
    return edit;
}

std::size_t place_of(const Edit& edit, const Replacement& replacement, const std::string& solution) {
    const std::vector<std::size_t> places = occurrences(solution, replacement.before);
    if (replacement.before.empty() || places.size() != 1) {
        throw EditError(
            fmt::format("{} has these lines {} times:\n{}", edit.base.string(), places.size(), replacement.before));
    }
    return places.front();
}

std::string applied(const Edit& edit, std::string solution) {
    for (const Replacement& replacement : edit.replacements) {
        solution.replace(place_of(edit, replacement, solution), replacement.before.size(), replacement.after);
    }
    return solution;
}

}  // namespace workbook::edits
