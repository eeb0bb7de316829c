/// @file
/// Shows at a glance which parts of a tensor are wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace workbook::grading {

/// How an element compares with the expected one.
enum class Mark { right, wrong, nan };

/// The names of the axes of the workbook's tensors, by their number: {"batch row", "head", "token", "channel"}.
[[nodiscard]] std::vector<std::string> axis_names(std::size_t n_axes);

/// The indices of the wrong elements along each axis, unless they are everywhere: "only in batch row 1, tokens 3 to 5".
[[nodiscard]] std::string wrong_places(std::span<const Mark> marks, std::span<const std::size_t> shape);

/// One line for each row (and head), one character for each token or column; long axes are shortened. Empty when there
/// is nothing to see, as in a tensor of one element.
[[nodiscard]] std::string picture_of(std::span<const Mark> marks, std::span<const std::size_t> shape);

}  // namespace workbook::grading
