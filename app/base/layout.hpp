/// @file
/// Text laid out in columns and lines.
#pragma once

#include <cstddef>
#include <string>

namespace workbook::app {

/// Columns that a line takes on a terminal: escape sequences take none, a character of several bytes takes one.
[[nodiscard]] std::size_t columns_of(const std::string& line);

/// The text with spaces behind it up to that many columns.
[[nodiscard]] std::string padded(const std::string& text, std::size_t columns);

/// The text with spaces before it up to that many columns.
[[nodiscard]] std::string to_the_right(const std::string& text, std::size_t columns);

/// The first columns of a line, escape sequences included.
[[nodiscard]] std::string clipped(const std::string& line, std::size_t columns);

/// Breaks text at spaces into lines of at most 80 columns, each behind `indent`. Escape sequences take no room.
[[nodiscard]] std::string wrapped(const std::string& text, const std::string& indent);

/// Puts `indent` before each line and breaks lines of prose that are too long; code and columns stay as they are.
[[nodiscard]] std::string indented(const std::string& text, const std::string& indent);

/// Whether a line of Markdown begins or ends a block of code.
[[nodiscard]] bool is_fence(const std::string& line);

/// Markdown for a terminal of 80 columns: paragraphs broken again, code indented instead of fenced.
[[nodiscard]] std::string plain_text(const std::string& markdown, const std::string& indent);

}  // namespace workbook::app
