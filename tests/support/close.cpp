#include "close.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace workbook::grading {

namespace {

// The axes of the workbook's tensors, by their number.
std::vector<std::string> axis_names(std::size_t n_axes) {
    switch (n_axes) {
        case 2: return {"row", "column"};
        case 3: return {"batch row", "token", "channel"};
        case 4: return {"batch row", "head", "token", "channel"};
        default: return std::vector<std::string>(n_axes, "index");  // NOLINT(modernize-return-braced-init-list)
    }
}

// The place of the flat index in a row-major tensor: "[0, 2, 1]: batch row 0, token 2, channel 1".
std::string place_text(std::size_t flat, std::span<const std::size_t> shape) {
    std::vector<std::size_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) {
        index[axis] = flat % shape[axis];
    }
    const std::vector<std::string> names = axis_names(shape.size());
    std::string words;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        words += (axis == 0 ? "" : ", ") + names[axis] + " " + std::to_string(index[axis]);
    }
    return shape_text(index) + ": " + words;
}

bool is_close(double actual, double expected) {
    return actual == expected || std::abs(actual - expected) <= tolerance() * std::max(1.0, std::abs(expected));
}

std::string number_text(double value) {
    std::ostringstream text;
    text.precision(10);
    text << value;
    return text.str();
}

std::string difference_text(std::span<const std::size_t> shape, std::span<const double> actual,
                            std::span<const double> expected) {
    std::size_t first = actual.size();
    std::size_t count = 0;
    for (std::size_t i = actual.size(); i-- > 0;) {
        if (!is_close(actual[i], expected[i])) {
            first = i;
            ++count;
        }
    }
    if (count == 0) {
        return "";
    }
    return "  differs first at " + place_text(first, shape) + "\n    expected " + number_text(expected[first]) +
           "\n    got      " + number_text(actual[first]) + "\n  " + std::to_string(count) + " of " +
           std::to_string(actual.size()) + " values differ, shape " + shape_text(shape) + ", tolerance " +
           number_text(tolerance());
}

}  // namespace

double tolerance() {
    return sizeof(Scalar) == sizeof(double) ? 1e-10 : 2e-4;
}

::testing::AssertionResult close_elements(const std::string& formula, std::span<const std::size_t> actual_shape,
                                          std::span<const std::size_t> expected_shape, std::span<const double> actual,
                                          std::span<const double> expected) {
    if (!std::ranges::equal(actual_shape, expected_shape)) {
        return ::testing::AssertionFailure() << formula << "\n  expected shape " << shape_text(expected_shape)
                                             << "\n  got shape      " << shape_text(actual_shape);
    }
    const std::string difference = difference_text(actual_shape, actual, expected);
    if (!difference.empty()) {
        return ::testing::AssertionFailure() << formula << "\n" << difference;
    }
    return ::testing::AssertionSuccess();
}

}  // namespace workbook::grading
