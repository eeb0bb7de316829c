#include "edit.hpp"

#include <sstream>

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

int Edit::part() const {
    const std::string name = base.string();
    return name.at(name.find("part") + 4) - '0';
}

Edit parse_edit(const std::string& text) {
    std::istringstream stream(text);
    std::string line;
    Edit edit;
    if (!std::getline(stream, line) || line.find("part") == std::string::npos) {
        throw EditError("the first line has to name a solution");
    }
    edit.base = line;
    std::string* open = nullptr;
    while (std::getline(stream, line)) {
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
        throw EditError(edit.base.string() + " has these lines " + std::to_string(places.size()) + " times:\n" +
                        replacement.before);
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
