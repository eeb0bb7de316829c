/// @file
/// Streaming attention: the answer of attend_groups in one pass over tiles of keys.
#pragma once

#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

/// The follow-up on attention that never stores a row of scores.
namespace workbook::streaming {

/// streaming.1 The result of attend_groups, in one pass over keys and values, a tile of them at a time. What a call
/// allocates does not grow with the number of keys, and tiles that no query sees are skipped.
/// @param q          [B, H, T, d]
/// @param kv         [B, Hkv, ·, d]
/// @param positions  [B, T]
/// @return           [B, H, T, d]; zeros for a query that sees no key
/// @throws std::invalid_argument when the shapes do not fit together
[[nodiscard]] WORKBOOK_STEP Tensor<4> attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions);

/// Given: the layer on top of a cache, with `attend` in place of the layer's own attention; otherwise the same as
/// Attention::forward for ragged rows.
/// @param layer  the layer whose projections and config are used
/// @param x      [B, T, D]
/// @param cache  holds n_new[b] more tokens in row b afterwards
/// @param n_new  [B], each at most T
/// @return       [B, T, D]; zeros in padded slots
/// @throws std::length_error when a row would exceed the cache's capacity; nothing has changed in that case
[[nodiscard]] Tensor<3> forward(const Attention& layer, const Tensor<3>& x, KVCache& cache, const Lengths& n_new);

}  // namespace workbook::streaming
