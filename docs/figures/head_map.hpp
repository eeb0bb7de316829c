/// @file
/// The lines between query heads and the key/value heads that they read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "docs/figures/svg.hpp"

namespace workbook::figures {

/// Draws a head map and returns how much room that took.
/// @param map    for each query head the key/value head; one beyond n_kv_heads does not exist and is drawn as "?"
/// @param right  the map as it should be, or null: lines that differ are orange
Point draw_head_map(Svg& svg, Point corner, const std::string& title, const std::vector<std::size_t>& map,
                    std::size_t n_kv_heads, const std::vector<std::size_t>* right = nullptr);

}  // namespace workbook::figures
