// Step 2.5: a check that tells right layers from wrong ones.
#include <limits>

#include "tests/part2/layers_under_test.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {
namespace {

using mistakes::Appends;
using mistakes::CachedMask;
using mistakes::Decisions;
using mistakes::RotaryPosition;
using mistakes::Slots;

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
void expect_rejected(const LayerUnderTest& wrong, const LayerUnderTest& right, const char* what) {
    expect_accepted(right, "the one without the mistake");
    if (cached_equals_uncached(wrong)) {
        ADD_FAILURE() << "your check accepts a wrong layer: " << what;
    }
}

void expect_rejected(const Decisions& decisions, const AttentionConfig& config, const char* what,
                     double output_scale = 1) {
    expect_rejected(layer_with(decisions, config, 2501, output_scale), layer_with({}, config, 2501, output_scale),
                    what);
}

GRADED_TEST(OwnCheck, AcceptsRightLayersOfAnyExtents, "2.5", strong_hire, 1) {
    expect_accepted(layer_with({}, heads_config(1, 1, 1), 2502), "one head of width 1");
    expect_accepted(layer_with({}, heads_config(2, 2, 3), 2503), "two heads of width 3");
    expect_accepted(layer_with({}, heads_config(6, 3, 2), 2504), "six heads, three key/value heads");
    expect_accepted(layer_with({}, with_rotary_positions(heads_config(2, 1, 4)), 2505),
                    "two heads that share one key/value head, with rotary positions");
    expect_accepted(layer_with({}, heads_config(2, 2, 3), 2508, 1e6), "its outputs are about a million");
}

GRADED_TEST(OwnCheck, AcceptsALayerThatDiffersByRoundingOnly, "2.5", strong_hire, 2) {
    // Here the cached forward is computed another way than the uncached one, with sums in another order.
    LayerUnderTest layer = layer_with({}, heads_config(2, 2, 3), 2506);
    const auto exact = layer.forward_cached;
    layer.forward_cached = [exact](const Tensor<3>& x, KVCache& cache) {
        Tensor<3> y = exact(x, cache);
        for (Scalar& element : y) {
            element *= 1 + 8 * std::numeric_limits<Scalar>::epsilon();
        }
        return y;
    };
    expect_accepted(layer, "its outputs differ in the last digits only");
    if (cached_equals_uncached(layer_with({.cached_mask = CachedMask::in_call}, layer.config, 2506))) {
        ADD_FAILURE() << "your check accepts a wrong layer too: query t of a chunk sees keys 0 to t only";
    }
}

GRADED_TEST(OwnCheck, RejectsAMaskByIndexInTheCall, "2.5", strong_hire, 2) {
    expect_rejected({.cached_mask = CachedMask::in_call}, heads_config(2, 2, 3),
                    "query t of a chunk sees keys 0 to t only");
    expect_rejected({.cached_mask = CachedMask::chunk_at_first_position}, heads_config(2, 2, 3),
                    "all queries of a chunk sit where its first token sits");
}

GRADED_TEST(OwnCheck, RejectsAMissingMaskOnTopOfAPast, "2.5", strong_hire, 2) {
    expect_rejected({.cached_mask = CachedMask::none_on_top_of_past}, heads_config(2, 2, 3),
                    "a chunk on top of cached tokens sees its own future");
}

GRADED_TEST(OwnCheck, RejectsAReadBeyondOrShortOfTheLiveRows, "2.5", strong_hire, 2) {
    expect_rejected({.cached_mask = CachedMask::strict_for_one_token_on_top_of_past}, heads_config(2, 2, 3),
                    "a single token on top of cached ones does not see itself");
    expect_rejected({.cached_mask = CachedMask::one_ahead, .slots = Slots::all_masked}, heads_config(2, 2, 3),
                    "every query sees one slot too many");
}

GRADED_TEST(OwnCheck, RejectsSmallDifferencesAndNan, "2.5", strong_hire, 1) {
    const LayerUnderTest right = layer_with({}, heads_config(2, 2, 3), 2501);
    expect_rejected(with_nan_on_top_of_past(right), right, "once the cache holds tokens, it gives NaN");
    expect_rejected({.cached_mask = CachedMask::in_call}, heads_config(2, 2, 3),
                    "its outputs are about 0.001, so the differences are small", 0.001);
}

GRADED_TEST(OwnCheck, RejectsPositionsThatStartOver, "2.5", strong_hire, 1) {
    expect_rejected({.rotary_position = RotaryPosition::in_call}, with_rotary_positions(heads_config(2, 2, 4)),
                    "rotary positions start at 0 in every call");
}

GRADED_TEST(OwnCheck, RejectsMixedUpRows, "2.5", strong_hire, 2) {
    expect_rejected({.slots = Slots::keys_of_first_row}, heads_config(2, 2, 3),
                    "every batch row reads the keys of row 0");
}

GRADED_TEST(OwnCheck, RejectsALayerThatLosesTokens, "2.5", strong_hire, 1) {
    expect_rejected({.slots = Slots::values_of_this_call}, heads_config(2, 2, 3),
                    "values from before the call are lost");
    expect_rejected({.appends = Appends::all_but_last_of_chunk}, heads_config(2, 2, 3),
                    "the last token of a chunk never reaches the cache");
}

}  // namespace
}  // namespace workbook::grading
