/// @file
/// The middle of measurements, which a busy machine disturbs less than any single one.
#pragma once

#include <vector>

namespace workbook::app {

/// The number in the middle, the upper one of two.
/// @throws std::invalid_argument when there are none
[[nodiscard]] double median(std::vector<double> numbers);

}  // namespace workbook::app
