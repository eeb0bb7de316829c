/// @file
/// Given: what a check of your own is made of, for step 2.5.
#pragma once

#include "part2_kv_cache/kv_cache.hpp"

namespace workbook {

/// Hidden states from a standard normal distribution, the same on every run: a check that fails now and then helps
/// nobody.
/// @return  [batch, n_tokens, d_model]
[[nodiscard]] Tensor<3> random_tokens(std::size_t batch, std::size_t n_tokens, std::size_t d_model);

/// An empty cache that fits a layer, with 50 in every free slot: a zero would hide a read beyond the live rows.
[[nodiscard]] KVCache poisoned_cache(const AttentionConfig& config, std::size_t batch, std::size_t max_len);

/// Whether outputs are those of a right layer. Right layers differ by rounding only: by less than 1e-9 of the largest
/// output of the whole sequence (1e-3 in float). NaN equals nothing.
/// @param actual    [B, n, D]
/// @param expected  [B, n, D]
/// @param whole     [B, T, D], the outputs of the whole sequence
[[nodiscard]] bool equal_up_to_rounding(const Tensor<3>& actual, const Tensor<3>& expected, const Tensor<3>& whole);

}  // namespace workbook
