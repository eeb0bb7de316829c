/// @file
/// As much of Markdown as the documents of mistakes use: headings, paragraphs and fenced code.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::mistakes {

/// A heading, a paragraph or a block of code.
struct Block {
    enum class Kind { heading, paragraph, code };
    Kind kind = Kind::paragraph;
    std::string text;       ///< "## Decisions"; a paragraph joined into one line; lines of code, each with its newline
    std::size_t line = 0;   ///< the line where the text begins, counted from 1
    bool is_closed = true;  ///< whether code has its closing fence
};

/// The blocks of a text, in order.
[[nodiscard]] std::vector<Block> blocks_of(const std::string& text);

/// A paragraph without the marks of code: "`j <= p`" is "j <= p".
[[nodiscard]] std::string without_marks(std::string paragraph);

}  // namespace workbook::mistakes
