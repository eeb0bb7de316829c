/// @file
/// Text that comes from learners' files and programs.
#pragma once

#include <string>

namespace workbook::grader {

/// Text made fit for a terminal, JSON and XML: bytes that are no UTF-8, and control characters, which could erase what
/// the grader prints, are replaced.
[[nodiscard]] std::string harmless(const std::string& text);

}  // namespace workbook::grader
