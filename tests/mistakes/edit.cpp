#include "edit.hpp"

#include <sstream>

namespace workbook::edits {

namespace {

std::size_t occurrences(const std::string& text, const std::string& lines) {
    std::size_t count = 0;
    for (std::size_t at = text.find(lines); at != std::string::npos; at = text.find(lines, at + 1)) {
        const bool starts_line = at == 0 || text[at - 1] == '\n';
        count += starts_line ? 1 : 0;
    }
    return count;
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

std::string applied(const Edit& edit, std::string solution) {
    for (const auto& [before, after] : edit.replacements) {
        const std::size_t count = occurrences(solution, before);
        if (before.empty() || count != 1) {
            throw EditError(edit.base.string() + " has these lines " + std::to_string(count) + " times:\n" + before);
        }
        std::size_t at = solution.find(before);
        while (at != 0 && solution[at - 1] != '\n') {
            at = solution.find(before, at + 1);
        }
        solution.replace(at, before.size(), after);
    }
    return solution;
}

}  // namespace workbook::edits
