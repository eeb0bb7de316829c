/// @file
/// The tensors of the shapes page, in symbols.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/cost_model.hpp"

namespace workbook::docs {

/// A tensor of the page. Its shape is a list of axes with spaces between, each a product of symbols: "B T H·d".
struct ShapeLine {
    std::string name;
    std::string shape;
    std::string owner;
    bool owns = true;  ///< elements of its own; else it shows those of another
    reference::Count element_bytes = 2;
};

/// The tensors of part 1, 2 or 3 from input to output.
[[nodiscard]] const std::vector<ShapeLine>& shape_lines(int part);

/// Extents by symbol.
using Symbols = std::map<std::string, reference::Count>;

/// The extents of a shape: "B T H·d" with numbers put in.
/// @throws std::out_of_range for a symbol that has none
[[nodiscard]] std::vector<std::size_t> extents_of(const std::string& shape, const Symbols& symbols);

}  // namespace workbook::docs
