#include "tests/support/picture.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace workbook::grading {

namespace {

constexpr std::size_t most_lines = 12;
constexpr std::size_t most_columns = 60;

// How much of the tensor one line and one character of the picture stand for.
struct Layout {
    std::size_t lines = 1;    // rows, or rows and heads
    std::size_t columns = 1;  // tokens, or columns of a matrix
    std::size_t depth = 1;    // channels, which share a character
};

Layout layout_of(std::span<const std::size_t> shape) {
    switch (shape.size()) {
        case 1: return {1, shape[0], 1};
        case 2: return {shape[0], shape[1], 1};
        case 3: return {shape[0], shape[1], shape[2]};
        case 4: return {shape[0] * shape[1], shape[2], shape[3]};
        default: return {};
    }
}

char character_of(std::span<const Mark> marks) {
    if (std::ranges::count(marks, Mark::nan) > 0) {
        return 'N';
    }
    return std::ranges::count(marks, Mark::wrong) > 0 ? 'X' : '.';
}

std::string label_of(std::size_t line, std::span<const std::size_t> shape) {
    const std::vector<std::string> names = axis_names(shape.size());
    if (shape.size() == 4) {
        return names[0] + " " + std::to_string(line / shape[1]) + ", " + names[1] + " " +
               std::to_string(line % shape[1]);
    }
    return shape.size() == 1 ? names[0] + "s" : names[0] + " " + std::to_string(line);
}

// "3", "3 and 5" or "3 to 5"; nothing when there are gaps.
std::string indices_text(const std::set<std::size_t>& indices) {
    const std::size_t first = *indices.begin();
    const std::size_t last = *indices.rbegin();
    if (first == last) {
        return std::to_string(first);
    }
    if (last - first + 1 == indices.size()) {
        return std::to_string(first) + (indices.size() == 2 ? " and " : " to ") + std::to_string(last);
    }
    std::string text;
    for (const std::size_t index : indices) {
        text += (text.empty() ? "" : ", ") + std::to_string(index);
    }
    return text;
}

}  // namespace

std::vector<std::string> axis_names(std::size_t n_axes) {
    switch (n_axes) {
        case 1: return {"batch row"};
        case 2: return {"row", "column"};
        case 3: return {"batch row", "token", "channel"};
        case 4: return {"batch row", "head", "token", "channel"};
        default: return std::vector<std::string>(n_axes, "index");  // NOLINT(modernize-return-braced-init-list)
    }
}

std::string wrong_places(std::span<const Mark> marks, std::span<const std::size_t> shape) {
    std::vector<std::set<std::size_t>> wrong(shape.size());
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i] == Mark::right) {
            continue;
        }
        for (std::size_t axis = shape.size(), rest = i; axis-- > 0; rest /= shape[axis]) {
            wrong[axis].insert(rest % shape[axis]);
        }
    }
    constexpr std::size_t most_named = 8;
    const std::vector<std::string> names = axis_names(shape.size());
    std::string text;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (wrong[axis].empty() || wrong[axis].size() == shape[axis]) {
            continue;
        }
        const std::string indices = indices_text(wrong[axis]);
        if (wrong[axis].size() <= most_named || indices.find(',') == std::string::npos) {
            text += (text.empty() ? "only in " : ", ") + names[axis] + (wrong[axis].size() > 1 ? "s " : " ") + indices;
        }
    }
    return text;
}

std::string picture_of(std::span<const Mark> marks, std::span<const std::size_t> shape) {
    const Layout layout = layout_of(shape);
    if (marks.size() < 2 || layout.lines * layout.columns < 2) {
        return "";
    }
    std::size_t label_width = 0;
    const std::size_t lines = std::min(layout.lines, most_lines);
    for (std::size_t line = 0; line < lines; ++line) {
        label_width = std::max(label_width, label_of(line, shape).size());
    }
    const std::size_t columns = std::min(layout.columns, most_columns);
    std::string text;
    for (std::size_t line = 0; line < lines; ++line) {
        std::string label = label_of(line, shape);
        label.resize(label_width, ' ');
        text += "  " + label + "  ";
        for (std::size_t column = 0; column < columns; ++column) {
            text += character_of(marks.subspan((line * layout.columns + column) * layout.depth, layout.depth));
        }
        text += columns < layout.columns ? " …\n" : "\n";
    }
    return text + (lines < layout.lines ? "  (and " + std::to_string(layout.lines - lines) + " more lines)\n" : "");
}

}  // namespace workbook::grading
