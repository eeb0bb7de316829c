/// @file
/// Inputs that are long in one direction and short in all others: code that goes wrong beyond some extent is met, and
/// the oracle has little to do.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace workbook::grading {

/// Longer than the buffers of a fixed size that people reach for.
inline constexpr std::size_t long_extent = 1030;

/// Short extents with each of them long in turn.
template <std::size_t N>
[[nodiscard]] std::vector<std::array<std::size_t, N>> each_long(const std::array<std::size_t, N>& short_extents,
                                                                std::size_t length = long_extent) {
    std::vector<std::array<std::size_t, N>> all(N, short_extents);
    for (std::size_t i = 0; i < N; ++i) {
        all[i][i] = length;
    }
    return all;
}

}  // namespace workbook::grading
