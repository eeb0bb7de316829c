#include "hints.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "files.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace workbook::grader {

namespace {

bool is_fence(const std::string& line) {
    return line.starts_with("```");
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of('\n');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of('\n') + 1 - first) + "\n";
}

// A paragraph, or an item of a list with its mark in front of the broken lines.
std::string set_paragraph(const std::string& text, const std::string& indent) {
    static const std::regex list_item(R"(^(- |\d+\. )(.*)$)");
    std::smatch match;
    if (!std::regex_match(text, match, list_item)) {
        return text.empty() ? "" : wrapped(text, indent);
    }
    const std::string mark = match[1];
    return wrapped(match[2], indent + std::string(mark.size(), ' ')).replace(indent.size(), mark.size(), mark);
}

bool starts_item(const std::string& line) {
    static const std::regex pattern(R"(^(- |\d+\. ).*$)");
    return std::regex_match(line, pattern);
}

}  // namespace

std::map<std::string, std::vector<std::string>> hints_in(const std::string& markdown) {
    static const std::regex step_heading(R"(^## (\d+\.\d+) .*$)");
    std::map<std::string, std::vector<std::string>> hints;
    std::istringstream lines(markdown);
    std::vector<std::string>* of_step = nullptr;
    bool in_code = false;
    for (std::string line; std::getline(lines, line);) {
        in_code = in_code != is_fence(line);
        std::smatch match;
        if (!in_code && std::regex_match(line, match, step_heading)) {
            of_step = &hints[match[1]];
        } else if (!in_code && of_step != nullptr && line.starts_with("### Hint ")) {
            of_step->emplace_back();
        } else if (of_step != nullptr && !of_step->empty()) {
            of_step->back() += line + "\n";
        }
    }
    for (auto& [step, texts] : hints) {
        std::ranges::transform(texts, texts.begin(), trimmed);
    }
    return hints;
}

std::string plain_text(const std::string& markdown, const std::string& indent) {
    std::string text;
    std::string paragraph;
    const auto end_paragraph = [&] {
        text += set_paragraph(paragraph, indent);
        paragraph.clear();
    };
    std::istringstream lines(markdown);
    bool in_code = false;
    for (std::string line; std::getline(lines, line);) {
        if (is_fence(line)) {
            end_paragraph();
            in_code = !in_code;
        } else if (in_code) {
            text += line.empty() ? "\n" : indent + "  " + line + "\n";
        } else if (line.empty()) {
            end_paragraph();
            text += "\n";
        } else {
            if (starts_item(line)) {
                end_paragraph();
            }
            paragraph += line + " ";
        }
    }
    end_paragraph();
    return text;
}

std::string next_hint(const Folders& folders, const std::string& step, const Style& style) {
    const std::filesystem::path folder = folders.part(step.front() - '0');
    const std::vector<std::string> hints = hints_in(read_file(folder / "hints.md"))[step];
    if (hints.empty()) {
        throw std::runtime_error((folder.filename() / "hints.md").string() + " has no hints for step " + step);
    }
    Progress progress(folders.source);
    const int last = progress.last_hint(step);
    const bool again = last >= static_cast<int>(hints.size());
    const int number = again ? 1 : last + 1;
    progress.set_last_hint(step, number);
    progress.save();
    const std::string heading = "Hint " + std::to_string(number) + " of " + std::to_string(hints.size()) +
                                " for step " + step + (again ? " (you have seen them all; from the first again)" : "");
    return style.bold(heading) + "\n\n" + plain_text(hints[static_cast<std::size_t>(number) - 1], "  ");
}

}  // namespace workbook::grader
