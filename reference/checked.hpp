/// @file
/// Sums and products of counts that refuse to wrap around.
#pragma once

#include <initializer_list>
#include <limits>
#include <stdexcept>

#include "reference/cost_model.hpp"

namespace workbook::reference {

/// @throws std::overflow_error when the result exceeds 2⁶⁴ - 1
[[nodiscard]] inline Count sum(Count left, Count right) {
    if (right > std::numeric_limits<Count>::max() - left) {
        throw std::overflow_error("a count passes 2^64 - 1");
    }
    return left + right;
}

/// Multiplies from left to right.
/// @throws std::overflow_error when any product on the way exceeds 2⁶⁴ - 1
[[nodiscard]] inline Count product(std::initializer_list<Count> factors) {
    Count result = 1;
    for (const Count factor : factors) {
        if (factor != 0 && result > std::numeric_limits<Count>::max() / factor) {
            throw std::overflow_error("a count passes 2^64 - 1");
        }
        result *= factor;
    }
    return result;
}

}  // namespace workbook::reference
