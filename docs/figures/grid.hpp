/// @file
/// Tables of squares: who sees whom, and what lies where.
#pragma once

#include <string>
#include <vector>

#include "docs/figures/svg.hpp"

namespace workbook::figures {

inline constexpr int cell = 16;

/// Weights of queries on keys. A row of NaN is shown as such.
struct Sight {
    std::vector<std::string> queries;  ///< labels of rows
    std::vector<std::string> keys;     ///< labels of columns
    std::vector<std::vector<double>> weights;
};

/// How a weight looks beside the others of its row.
enum class Look { hidden, little, seen, nan };

[[nodiscard]] Look look_of(const std::vector<double>& row, std::size_t column);

/// True when two pictures of the same queries and keys would look alike.
[[nodiscard]] bool looks_like(const Sight& a, const Sight& b);

/// Draws who sees whom, rows are queries, and returns how much room that took. Where it differs from `right`, it says
/// so: full orange sees what it must not, a dashed frame misses what it should see.
/// @param right  the same queries and keys as they should be, or null
Point draw(Svg& svg, Point corner, const std::string& title, const Sight& sight, const Sight* right = nullptr);

/// Squares with a text each, and a colour.
struct Labelled {
    std::string text;
    std::string kind;  ///< "" for an empty square
};

/// Draws rows of labelled squares, with a label before each row, and returns how much room that took.
Point draw(Svg& svg, Point corner, const std::string& title, const std::vector<std::string>& labels,
           const std::vector<std::vector<Labelled>>& rows, int size = 20);

/// "c0", "c1", …: the colour of a head, a row or a group.
[[nodiscard]] std::string colour(std::size_t index);

}  // namespace workbook::figures
