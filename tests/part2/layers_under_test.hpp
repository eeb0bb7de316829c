/// @file
/// Layers for step 2.5: right ones, and ones with a known mistake in the cached forward.
#pragma once

#include "kv_cache.hpp"

namespace workbook::grading {

/// What a layer does wrong when it has a cache; its uncached forward is always right.
enum class CacheMistake {
    none,
    mask_by_index_in_call,     ///< query t of a chunk sees keys 0 … t
    no_mask_on_top_of_past,    ///< once the cache holds tokens, every query sees every key
    chunk_at_one_position,     ///< all queries of a chunk sit where its first token sits
    misses_own_token,          ///< a single token on top of cached ones does not see itself
    sees_one_unwritten_slot,   ///< every query sees one slot too many
    positions_restart,         ///< rotary positions of every call start at 0
    keys_of_first_row,         ///< every batch row reads the keys of row 0
    values_of_this_call_only,  ///< values from before the call are lost
    last_token_not_appended,   ///< the last token of a chunk never reaches the cache
    nan_on_top_of_past,        ///< once the cache holds tokens, outputs are NaN
};

/// A layer whose functions are plain loops over the oracle, with one mistake.
/// @param output_scale  about the size of its outputs
[[nodiscard]] LayerUnderTest layer_with(CacheMistake mistake, const AttentionConfig& config, unsigned seed,
                                        double output_scale = 1);

}  // namespace workbook::grading
