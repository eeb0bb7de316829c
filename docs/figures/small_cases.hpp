/// @file
/// The sizes of the small cases that several pictures show.
#pragma once

#include <cstddef>

namespace workbook::figures {

/// Heads that are split and merged.
struct SmallSplit {
    static constexpr std::size_t heads = 2;
    static constexpr std::size_t head_dim = 2;
    static constexpr std::size_t d_model = heads * head_dim;
};

/// A cache that calls append to.
struct SmallCache {
    static constexpr std::size_t n_kv_heads = 2;
    static constexpr std::size_t max_len = 6;
};

}  // namespace workbook::figures
