/// @file
/// The models and the accelerator that the pages compute with.
#pragma once

#include "reference/cost_model.hpp"

namespace workbook::docs {

/// Llama 3.1 8B in a 2-byte format: 32 layers, 32 query heads, 8 key/value heads of width 128.
inline constexpr reference::ModelShape llama_8b{
    .n_layers = 32, .d_model = 4096, .n_heads = 32, .n_kv_heads = 8, .head_dim = 128, .bytes_per_element = 2};

/// Llama 3.1 70B in the same format.
inline constexpr reference::ModelShape llama_70b{
    .n_layers = 80, .d_model = 8192, .n_heads = 64, .n_kv_heads = 8, .head_dim = 128, .bytes_per_element = 2};

/// Bytes of the four projections, all layers.
[[nodiscard]] constexpr reference::Count projection_bytes(const reference::ModelShape& model) {
    const reference::Count widths = 2 * model.n_heads * model.head_dim + 2 * model.n_kv_heads * model.head_dim;
    return model.n_layers * model.d_model * widths * model.bytes_per_element;
}

/// An H100 SXM accelerator by its data sheet: bytes per second, and dense BF16 operations per second.
inline constexpr double bandwidth = 3.35e12;
inline constexpr double flop_rate = 989e12;

}  // namespace workbook::docs
