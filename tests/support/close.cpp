#include "tests/support/close.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/support/picture.hpp"

namespace workbook::grading {

namespace {

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

std::string number_text(double value) {
    std::ostringstream text;
    text.precision(10);
    text << value;
    return text.str();
}

// The picture of what is wrong, with a legend.
std::string picture_text(const std::vector<Mark>& marks, std::span<const std::size_t> shape) {
    const std::string picture = picture_of(marks, shape);
    if (picture.empty()) {
        return "";
    }
    const std::string places = wrong_places(marks, shape);
    const bool nan = std::ranges::count(marks, Mark::nan) > 0;
    std::string indented = "\n  " + std::string(places.empty() ? "" : "wrong " + places + "; ") + ". right, X wrong" +
                           (nan ? ", N not a number" : "") + ":\n" + picture;
    for (std::size_t at = indented.find("\n  ", 1); at != std::string::npos; at = indented.find("\n  ", at + 1)) {
        indented.insert(at + 1, "  ");
    }
    indented.pop_back();  // the last line break
    return indented;
}

std::string difference_text(std::span<const std::size_t> shape, std::span<const double> actual,
                            std::span<const double> expected) {
    std::vector<Mark> marks(actual.size(), Mark::right);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (!is_close(actual[i], expected[i])) {
            marks[i] = std::isnan(actual[i]) ? Mark::nan : Mark::wrong;
        }
    }
    const auto wrong = std::ranges::find_if(marks, [](Mark mark) { return mark != Mark::right; });
    if (wrong == marks.end()) {
        return "";
    }
    const auto first = static_cast<std::size_t>(wrong - marks.begin());
    const auto first_nan = static_cast<std::size_t>(std::ranges::find(marks, Mark::nan) - marks.begin());
    const bool nan_later = first_nan < marks.size() && first_nan != first;
    const auto count = marks.size() - static_cast<std::size_t>(std::ranges::count(marks, Mark::right));
    return "  differs first at " + place_text(first, shape) + "\n    expected " + number_text(expected[first]) +
           "\n    got      " + number_text(actual[first]) +
           (nan_later ? "\n  the first NaN is at " + place_text(first_nan, shape) : "") + "\n  " +
           std::to_string(count) + " of " + std::to_string(actual.size()) + " values differ, shape " +
           shape_text(shape) + ", tolerance " + number_text(tolerance()) + picture_text(marks, shape);
}

}  // namespace

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
