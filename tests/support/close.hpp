/// @file
/// The one matcher for values: equal shapes, and every element equal up to rounding.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "reference/closeness.hpp"
#include "reference/oracle.hpp"

namespace workbook::grading {

using reference::is_close;
using reference::tolerance;

/// Compares elements in order; `formula` names what was computed.
[[nodiscard]] ::testing::AssertionResult close_elements(const std::string& formula,
                                                        std::span<const std::size_t> actual_shape,
                                                        std::span<const std::size_t> expected_shape,
                                                        std::span<const double> actual,
                                                        std::span<const double> expected);

/// For EXPECT_PRED_FORMAT2 by way of EXPECT_CLOSE.
template <class Actual, class Expected>
[[nodiscard]] ::testing::AssertionResult close(const char* formula, const char* /*expected_text*/, const Actual& actual,
                                               const Expected& expected) {
    const auto elements = [](const auto& tensor) { return std::vector<double>(tensor.begin(), tensor.end()); };
    return close_elements(formula, actual.shape(), expected.shape(), elements(actual), elements(expected));
}

}  // namespace workbook::grading

/// The tensor `actual` has the shape and, up to rounding, the values of `expected`.
#define EXPECT_CLOSE(actual, expected) EXPECT_PRED_FORMAT2(::workbook::grading::close, actual, expected)
