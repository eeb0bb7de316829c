#include "app/base/layout.hpp"

#include <algorithm>
#include <sstream>

#include "app/base/pattern.hpp"
#include "app/base/text.hpp"
#include "app/base/utf8.hpp"

namespace workbook::app {

namespace {

constexpr char escape = '\x1b';
constexpr std::size_t width = 80;

// Bytes of the character or escape sequence that starts at `at`.
std::size_t bytes_at(const std::string& line, std::size_t at) {
    std::size_t end = at + 1;
    if (line[at] == escape) {
        end = line.find_first_of("mJHKhl", at);
        return end == std::string::npos ? line.size() - at : end + 1 - at;
    }
    while (end < line.size() && continues_character(line[end])) {
        ++end;
    }
    return end - at;
}

// An item of a list: its mark, and its text.
const Pattern& list_item() {
    static const Pattern pattern(R"(^(- |\d+\. )(.*)$)");
    return pattern;
}

// A paragraph, or an item of a list with its mark in front of the broken lines.
std::string set_paragraph(const std::string& text, const std::string& indent) {
    const auto item = list_item().match(text);
    if (!item) {
        return text.empty() ? "" : wrapped(text, indent);
    }
    const std::string& mark = (*item)[1];
    return wrapped((*item)[2], indent + std::string(mark.size(), ' ')).replace(indent.size(), mark.size(), mark);
}

bool starts_item(const std::string& line) {
    return list_item().match(line).has_value();
}

}  // namespace

std::size_t columns_of(const std::string& line) {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < line.size(); at += bytes_at(line, at)) {
        columns += line[at] == escape ? 0 : 1;
    }
    return columns;
}

std::string padded(const std::string& text, std::size_t columns) {
    const std::size_t taken = columns_of(text);
    return taken < columns ? text + std::string(columns - taken, ' ') : text;
}

std::string to_the_right(const std::string& text, std::size_t columns) {
    const std::size_t taken = columns_of(text);
    return (taken < columns ? std::string(columns - taken, ' ') : "") + text;
}

std::string clipped(const std::string& line, std::size_t columns) {
    std::string text;
    std::size_t taken = 0;
    for (std::size_t at = 0; at < line.size(); at += bytes_at(line, at)) {
        taken += line[at] == escape ? 0 : 1;
        if (line[at] == escape || taken <= columns) {  // a colour is switched off although its text is cut
            text += line.substr(at, bytes_at(line, at));
        }
    }
    return text;
}

std::string wrapped(const std::string& text, const std::string& indent) {
    std::istringstream words(text);
    std::string lines;
    std::string line = indent;
    for (std::string word; words >> word;) {
        if (line.size() > indent.size() && columns_of(line) + 1 + columns_of(word) > width) {
            lines += line + "\n";
            line = indent;
        }
        line += (line.size() == indent.size() ? "" : " ") + word;
    }
    return lines + line + "\n";
}

std::string indented(const std::string& text, const std::string& indent) {
    std::string out;
    for (const std::string& line : lines_of(text)) {
        // Long lines are prose, which may be broken; short ones may be laid out in columns.
        const bool is_prose = indent.size() + columns_of(line) > width && line.find("  ") == std::string::npos;
        out += is_prose ? wrapped(line, indent) : indent + line + "\n";
    }
    return out;
}

bool is_fence(const std::string& line) {
    return line.starts_with("```");
}

std::string plain_text(const std::string& markdown, const std::string& indent) {
    std::string text;
    std::string paragraph;
    const auto end_paragraph = [&] {
        text += set_paragraph(paragraph, indent);
        paragraph.clear();
    };
    bool in_code = false;
    for (const std::string& line : lines_of(markdown)) {
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

}  // namespace workbook::app
