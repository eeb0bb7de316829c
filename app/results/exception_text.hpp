/// @file
/// What an exception means in the terms of the workbook.
#pragma once

#include <exception>
#include <string>

namespace workbook::grading {

/// The message of an exception, and below it what it means when it is one of xtensor's or of the standard library's.
[[nodiscard]] std::string explained(const std::exception& error);

/// Whether xtensor or the standard library has thrown it, because of an index or a shape that does not fit.
[[nodiscard]] bool comes_from_library(const std::exception& error);

}  // namespace workbook::grading
