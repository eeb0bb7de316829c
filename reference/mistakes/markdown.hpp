/// @file
/// As much of Markdown as documents of mistakes are written in: headings, paragraphs and fenced code.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::mistakes {

/// A heading, a paragraph or a block of code.
struct Block {
    enum class Kind { heading, paragraph, code };
    Kind kind = Kind::paragraph;
    std::string text;       ///< "## Decisions"; a paragraph in one line; lines of code, each with its end
    std::size_t line = 0;   ///< where the text begins, from 1 on
    bool is_closed = true;  ///< whether code has an end
};

/// The blocks of a text, one behind the other.
[[nodiscard]] std::vector<Block> blocks_of(const std::string& text);

/// A paragraph without the marks of code: "`j <= p`" is "j <= p".
[[nodiscard]] std::string without_marks(std::string paragraph);

}  // namespace workbook::mistakes
