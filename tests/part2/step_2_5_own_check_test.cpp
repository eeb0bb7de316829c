// Step 2.5: a check that tells right layers from wrong ones.
#include <limits>

#include "graded.hpp"
#include "inputs.hpp"
#include "layers_under_test.hpp"

namespace workbook::grading {
namespace {

AttentionConfig with_rotary_positions(AttentionConfig config) {
    config.rope_base = 100;
    return config;
}

void expect_accepted(const LayerUnderTest& layer, const char* which) {
    if (!cached_equals_uncached(layer)) {
        ADD_FAILURE() << "your check rejects a right layer: " << which;
    }
}

// A check that rejects everything rejects the wrong layer too, so the right one is asked about first.
void expect_rejected(CacheMistake mistake, const AttentionConfig& config, const char* what, double output_scale = 1) {
    expect_accepted(layer_with(CacheMistake::none, config, 2501, output_scale), "the one without the mistake");
    if (cached_equals_uncached(layer_with(mistake, config, 2501, output_scale))) {
        ADD_FAILURE() << "your check accepts a wrong layer: " << what;
    }
}

GRADED_TEST(OwnCheck, AcceptsRightLayersOfAnyExtents, "2.5", strong_hire, 1) {
    expect_accepted(layer_with(CacheMistake::none, heads_config(1, 1, 1), 2502), "one head of width 1");
    expect_accepted(layer_with(CacheMistake::none, heads_config(2, 2, 3), 2503), "two heads of width 3");
    expect_accepted(layer_with(CacheMistake::none, heads_config(6, 3, 2), 2504), "six heads, three key/value heads");
    expect_accepted(layer_with(CacheMistake::none, with_rotary_positions(heads_config(2, 1, 4)), 2505),
                    "two heads that share one key/value head, with rotary positions");
    expect_accepted(layer_with(CacheMistake::none, heads_config(2, 2, 3), 2508, 1e6),
                    "its outputs are about a million");
}

GRADED_TEST(OwnCheck, AcceptsALayerThatDiffersByRoundingOnly, "2.5", strong_hire, 2) {
    // Here the cached forward is computed another way than the uncached one, with sums in another order.
    LayerUnderTest layer = layer_with(CacheMistake::none, heads_config(2, 2, 3), 2506);
    const auto exact = layer.forward_cached;
    layer.forward_cached = [exact](const Tensor<3>& x, KVCache& cache) {
        Tensor<3> y = exact(x, cache);
        for (Scalar& element : y) {
            element *= 1 + 8 * std::numeric_limits<Scalar>::epsilon();
        }
        return y;
    };
    expect_accepted(layer, "its outputs differ in the last digits only");
    if (cached_equals_uncached(layer_with(CacheMistake::mask_by_index_in_call, layer.config, 2506))) {
        ADD_FAILURE() << "your check accepts a wrong layer too: query t of a chunk sees keys 0 to t only";
    }
}

GRADED_TEST(OwnCheck, RejectsAMaskByIndexInTheCall, "2.5", strong_hire, 2) {
    expect_rejected(CacheMistake::mask_by_index_in_call, heads_config(2, 2, 3),
                    "query t of a chunk sees keys 0 to t only");
    expect_rejected(CacheMistake::chunk_at_one_position, heads_config(2, 2, 3),
                    "all queries of a chunk sit where its first token sits");
}

GRADED_TEST(OwnCheck, RejectsAMissingMaskOnTopOfAPast, "2.5", strong_hire, 2) {
    expect_rejected(CacheMistake::no_mask_on_top_of_past, heads_config(2, 2, 3),
                    "a chunk on top of cached tokens sees its own future");
}

GRADED_TEST(OwnCheck, RejectsAReadBeyondOrShortOfTheLiveRows, "2.5", strong_hire, 2) {
    expect_rejected(CacheMistake::misses_own_token, heads_config(2, 2, 3),
                    "a single token on top of cached ones does not see itself");
    expect_rejected(CacheMistake::sees_one_unwritten_slot, heads_config(2, 2, 3), "every query sees one slot too many");
}

GRADED_TEST(OwnCheck, RejectsSmallDifferencesAndNan, "2.5", strong_hire, 1) {
    expect_rejected(CacheMistake::nan_on_top_of_past, heads_config(2, 2, 3),
                    "once the cache holds tokens, it gives NaN");
    expect_rejected(CacheMistake::mask_by_index_in_call, heads_config(2, 2, 3),
                    "its outputs are about 0.001, so the differences are small", 0.001);
}

GRADED_TEST(OwnCheck, RejectsPositionsThatStartOver, "2.5", strong_hire, 1) {
    expect_rejected(CacheMistake::positions_restart, with_rotary_positions(heads_config(2, 2, 4)),
                    "rotary positions start at 0 in every call");
}

GRADED_TEST(OwnCheck, RejectsMixedUpRows, "2.5", strong_hire, 2) {
    expect_rejected(CacheMistake::keys_of_first_row, heads_config(2, 2, 3), "every batch row reads the keys of row 0");
}

GRADED_TEST(OwnCheck, RejectsALayerThatLosesTokens, "2.5", strong_hire, 1) {
    expect_rejected(CacheMistake::values_of_this_call_only, heads_config(2, 2, 3),
                    "values from before the call are lost");
    expect_rejected(CacheMistake::last_token_not_appended, heads_config(2, 2, 3),
                    "the last token of a chunk never reaches the cache");
}

}  // namespace
}  // namespace workbook::grading
