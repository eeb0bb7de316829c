/// @file
/// When two numbers count as equal.
#pragma once

namespace workbook::reference {

/// How far a value may be off, relative to max(1, |expected|): 1e-10 in double, 2e-4 in float.
[[nodiscard]] double tolerance();

/// Whether `actual` is `expected` up to rounding; NaN never is.
[[nodiscard]] bool is_close(double actual, double expected);

}  // namespace workbook::reference
