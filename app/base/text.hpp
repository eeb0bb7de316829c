/// @file
/// Text as it is: lines, lists, numbers, and what comes from learners' files and programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::app {

/// The lines of a text, without their ends; a last line without an end counts too.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// Items with a separator between them.
[[nodiscard]] std::string joined(const std::vector<std::string>& items, const std::string& separator);

/// Items as a sentence lists them: "1.1", "1.1 and 1.2", "1.1, 1.2 and 1.3".
[[nodiscard]] std::string enumerated(const std::vector<std::string>& items);

/// What stands between separators: "a,b" is a and b; empty items are left out.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator);

/// A text with its letters, those of ASCII, as small ones.
[[nodiscard]] std::string in_small_letters(std::string text);

/// A text with every occurrence of `from` replaced.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

/// Text made fit for a terminal, JSON and XML: bytes that are no UTF-8, and control characters, which could erase what
/// is printed around them, are replaced.
[[nodiscard]] std::string harmless(const std::string& text);

/// Text of at most so many bytes, with "…" in place of the rest.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t most);

/// Digits in groups of three: 34359738368 is "34,359,738,368".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// "1 row", "2 rows", "1,024 rows".
[[nodiscard]] std::string counted(std::uint64_t number, const std::string& thing);

/// A local time in the form of strftime, such as "%Y-%m-%d"; now.
[[nodiscard]] std::string local_time(const char* form);

}  // namespace workbook::app
