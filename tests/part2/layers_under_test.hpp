/// @file
/// Layers for step 2.5: right ones, and ones with a known mistake in the cached forward.
#pragma once

#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/decisions/decisions.hpp"

namespace workbook::grading {

/// A layer in plain loops that takes these decisions when it has a cache; its uncached forward is always right.
/// @param output_scale  about the size of its outputs
[[nodiscard]] LayerUnderTest layer_with(const mistakes::Decisions& decisions, const AttentionConfig& config,
                                        unsigned seed, double output_scale = 1);

/// The same layer, but once the cache holds tokens, its outputs are NaN.
[[nodiscard]] LayerUnderTest with_nan_on_top_of_past(LayerUnderTest layer);

}  // namespace workbook::grading
