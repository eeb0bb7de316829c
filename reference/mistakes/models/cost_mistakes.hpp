/// @file
/// What the cost functions of steps 1.6, 2.4 and 3.4 give, right or with a mistake in the formula.
#pragma once

#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/decisions/decisions.hpp"

namespace workbook::mistakes {

/// The extents that cost functions take; a function reads those that it needs.
struct Extents {
    costs::Count batch = 1, q_len = 1, d_model = 1, n_heads = 1, n_kv_heads = 1, head_dim = 1;
    costs::Count n_layers = 1, bytes_per_element = 1, steps = 1, tokens = 1;
};

[[nodiscard]] double projection_multiply_adds(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double attention_multiply_adds(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double score_elements(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double cache_bytes_per_token(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double tokens_copied_by_concatenation(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double tokens_projected_without_cache(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double grouped_projection_multiply_adds(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double expanded_cache_bytes(const Extents& extents, const Decisions& decisions);
[[nodiscard]] double decode_flops_per_cache_byte(const Extents& extents, const Decisions& decisions);

}  // namespace workbook::mistakes
