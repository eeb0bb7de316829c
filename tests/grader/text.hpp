/// @file
/// Text that comes from learners' files and programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace workbook::grader {

/// Text made fit for a terminal, JSON and XML: bytes that are no UTF-8, and control characters, which could erase what
/// the grader prints, are replaced.
[[nodiscard]] std::string harmless(const std::string& text);

/// Items with a separator between them.
[[nodiscard]] std::string joined(const std::vector<std::string>& items, const std::string& separator);

/// Text of at most so many bytes, with "…" in place of the rest.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t most);

}  // namespace workbook::grader
