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

/// Rows and heads of a large call: an answer may give each of them a thread, and the limits of a test do not allow for
/// a thousand of those.
inline constexpr std::size_t many_threads = 40;

/// Short extents with each of them long in turn.
template <std::size_t N>
[[nodiscard]] std::vector<std::array<std::size_t, N>> each_long(const std::array<std::size_t, N>& short_extents,
                                                                const std::array<std::size_t, N>& long_extents) {
    std::vector<std::array<std::size_t, N>> all(N, short_extents);
    for (std::size_t i = 0; i < N; ++i) {
        all[i][i] = long_extents[i];
    }
    return all;
}

template <std::size_t N>
[[nodiscard]] std::vector<std::array<std::size_t, N>> each_long(const std::array<std::size_t, N>& short_extents) {
    std::array<std::size_t, N> long_extents;
    long_extents.fill(long_extent);
    return each_long<N>(short_extents, long_extents);
}

}  // namespace workbook::grading
