// Step 3.3: forward over rows of different lengths, and grouped heads on top of the cache.
#include <limits>
#include <stdexcept>

#include "app/run/allocations.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/long_extent.hpp"
#include "tests/support/refuses.hpp"
#include "tests/support/sequences.hpp"

namespace workbook::grading {
namespace {

Attention three_groups_of_two(unsigned seed) {
    return random_layer(heads_config(6, 3, 3), seed);
}

// Both rows get the same number of tokens in every call.
void expect_chunks_match(const AttentionConfig& config, const std::vector<std::size_t>& chunks, unsigned seed) {
    const Attention layer = random_layer(config, seed);
    KVCache cache = poisoned_cache(config, 2, 8);
    std::size_t total = 0;
    for (const std::size_t n : chunks) {
        total += n;
    }
    RaggedRows rows(layer, cache, {total, total}, seed + 10);
    for (const std::size_t n : chunks) {
        rows.feed(cache, {n, n}, n);
    }
}

// Feeds two rows call by call; each call brings as many slots as its larger row has tokens, plus `extra`.
void expect_ragged_calls_match(const Attention& layer, const std::vector<Lengths>& calls, unsigned seed,
                               std::size_t extra = 0, Scalar padding = 50) {
    Lengths totals(2, 0);
    for (const Lengths& n_new : calls) {
        totals[0] += n_new[0];
        totals[1] += n_new[1];
    }
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    RaggedRows rows(layer, cache, totals, seed);
    for (const Lengths& n_new : calls) {
        rows.feed(cache, n_new, std::max(n_new[0], n_new[1]) + extra, padding);
    }
}

// A row that holds many tokens beside one that holds few.
void expect_long_past_matches() {
    const Attention layer = random_layer(heads_config(4, 2, 2), 3339);
    const Lengths past{long_extent, 2};
    const Lengths n_new{2, 1};
    const Tensor<4> k = random_tensor<4>({2, 2, long_extent + 2, 2}, 3340);
    const Tensor<4> v = random_tensor<4>({2, 2, long_extent + 2, 2}, 3341);
    KVCache cache = poisoned_cache(layer.config(), 2, long_extent + 2);
    cache.append(k, v, past);
    const Tensor<3> x = random_tensor<3>({2, 2, 8}, 3342);
    CachedCalls calls(layer, cache);
    calls.note(x, n_new);
    EXPECT_CLOSE(layer.forward(x, cache, n_new), calls.answer({}));
}

// The first call on a cache, too large to be compared with every mistake: `real` tokens in every other row, and one
// less in the rows between.
void expect_close_first_call(const AttentionConfig& config, std::size_t batch, std::size_t slots, std::size_t real,
                             unsigned seed) {
    SCOPED_TRACE(shape_text(std::array{batch, slots, config.d_model}) + ", H = " + std::to_string(config.n_heads));
    const Attention layer = random_layer(config, seed);
    const Tensor<3> x = random_tensor<3>({batch, slots, config.d_model}, seed + 1);
    const reference::Array<3> whole =
        reference::forward(config, layer.weights(), reference::to_double(tokens(x, 0, real)));
    reference::Array<3> expected({batch, slots, config.d_model}, 0);
    Lengths n_new(batch);
    for (std::size_t b = 0; b < batch; ++b) {
        n_new[b] = real - b % 2;
        auto own = xt::range(std::size_t{0}, n_new[b]);
        xt::view(expected, b, own) = xt::view(whole, b, own);
    }
    KVCache cache = poisoned_cache(config, batch, real);
    EXPECT_CLOSE(layer.forward(x, cache, n_new), expected);
}

// Many rows, slots, tokens and heads, and wide ones.
void expect_large_calls_match() {
    if (::testing::Test::HasFailure()) {
        return;
    }
    constexpr std::size_t many = 260;
    expect_close_first_call(heads_config(4, 2, 3), 3, 2, 1, 3337);
    expect_close_first_call(heads_config(2, 1, 1), many_threads, 2, 1, 3343);
    expect_close_first_call(heads_config(2, 1, 1), 2, long_extent, 2, 3345);
    expect_close_first_call(heads_config(2, 1, 1), 1, many, many, 3347);
    expect_close_first_call(heads_config(many_threads, many_threads, 1), 2, 2, 2, 3349);
    expect_close_first_call(heads_config(1, 1, many), 2, 2, 2, 3351);
}

GRADED_TEST(GroupedCache, MatchesTheOracleForAPromptAndThenTokens, "3.3", hire, 3) {
    expect_chunks_match(heads_config(6, 3, 3), {4, 1, 1}, 3301);
    expect_chunks_match(heads_config(8, 2, 3), {4, 1, 1}, 3302);
}

GRADED_TEST(GroupedCache, MatchesTheOracleInChunks, "3.3", hire, 3) {
    expect_chunks_match(heads_config(6, 3, 3), {3, 2, 1}, 3303);
    expect_chunks_match(heads_config(8, 2, 3), {3, 2, 1}, 3304);
}

GRADED_TEST(GroupedCache, ServesMultiHeadAndMultiQueryAttentionToo, "3.3", strong_hire, 2) {
    expect_chunks_match(heads_config(4, 4, 3), {3, 2, 1, 1}, 3305);
    expect_chunks_match(heads_config(5, 1, 3), {3, 2, 1, 1}, 3306);
}

GRADED_TEST(GroupedCache, HoldsKeyAndValueHeadsOnly, "3.3", hire, 2) {
    const Attention layer = three_groups_of_two(3307);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    const Scalar* keys = cache.keys().data();
    (void)layer.forward(random_tensor<3>({2, 4, 18}, 3308), cache, {4, 4});
    if (cache.keys().shape(1) != 3 || cache.values().shape(1) != 3) {
        blame("cache_holds_query_heads");
    } else if (cache.keys().data() != keys) {
        blame("cache_reallocated");
    }
    EXPECT_EQ(cache.keys().shape(), (std::array<std::size_t, 4>{2, 3, 8, 3})) << "[B, Hkv, C, d]";
    EXPECT_EQ(cache.values().shape(), (std::array<std::size_t, 4>{2, 3, 8, 3})) << "[B, Hkv, C, d]";
    EXPECT_EQ(cache.keys().data(), keys) << "the buffer of keys is another one after the call";
    const KVCache multi_head = poisoned_cache(heads_config(6, 6, 3), 2, 8);
    EXPECT_EQ(cache.bytes() * 2, multi_head.bytes())
        << "H / Hkv = 2 times smaller than with a head for every query head";
}

GRADED_TEST(RaggedForward, MatchesTheOracleWhenTheFirstRowIsLonger, "3.3", hire, 3) {
    expect_ragged_calls_match(three_groups_of_two(3309), {{3, 1}, {1, 1}, {2, 2}}, 3310);
}

GRADED_TEST(RaggedForward, MatchesTheOracleWhenTheSecondRowIsLonger, "3.3", hire, 3) {
    expect_ragged_calls_match(three_groups_of_two(3311), {{1, 3}, {1, 1}, {2, 2}}, 3312);
}

GRADED_TEST(RaggedForward, MatchesTheOracleInEveryCall, "3.3", strong_hire, 3) {
    expect_ragged_calls_match(three_groups_of_two(3313), {{2, 3}, {3, 1}, {1, 2}, {2, 0}}, 3314);
}

GRADED_TEST(RaggedForward, TakesARowWithoutTokens, "3.3", strong_hire, 3) {
    expect_ragged_calls_match(three_groups_of_two(3315), {{3, 0}, {0, 2}, {0, 0}, {1, 1}}, 3316);
}

GRADED_TEST(RaggedForward, CountsRealTokensAndNotPadding, "3.3", strong_hire, 2) {
    // Three padded slots more than the longest row needs; at the end row 0 is exactly full.
    expect_ragged_calls_match(three_groups_of_two(3317), {{4, 2}, {3, 1}, {1, 2}}, 3318, 3);
    expect_long_past_matches();
    expect_large_calls_match();
}

GRADED_TEST(RaggedForward, GivesZerosInPaddedSlotsWhateverTheyHold, "3.3", strong_hire, 3) {
    SCOPED_TRACE("padded slots of x hold NaN");
    expect_ragged_calls_match(three_groups_of_two(3319), {{3, 1}, {0, 2}, {1, 0}}, 3320, 1,
                              std::numeric_limits<Scalar>::quiet_NaN());
}

GRADED_TEST(RaggedForward, RotatesByThePositionsOfEachRow, "3.3", hire, 2) {
    AttentionConfig config = heads_config(4, 2, 4);
    config.rope_base = 100;
    expect_ragged_calls_match(random_layer(config, 3321), {{3, 1}, {1, 2}, {2, 2}}, 3322);
    config.n_kv_heads = 4;
    expect_ragged_calls_match(random_layer(config, 3334), {{3, 1}, {1, 2}, {2, 2}}, 3335);
}

GRADED_TEST(RaggedForward, RefusesOverflowOfAnyRowAndChangesNothing, "3.3", strong_hire, 3) {
    const Attention layer = three_groups_of_two(3323);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    RaggedRows rows(layer, cache, {3, 8}, 3324);
    rows.feed(cache, {1, 7}, 7);
    ASSERT_EQ(cache.lengths(), (Lengths{1, 7}));
    const Tensor<4> keys = cache.keys();
    const Tensor<4> values = cache.values();
    expect_overflow_refused("forward of 2|2 tokens on top of 1|7 of 8", [&] {
        (void)layer.forward(random_tensor<3>({2, 2, 18}, 3325), cache, {2, 2});
    });
    expect_unchanged(cache, {1, 7}, keys, values);
    rows.feed(cache, {2, 1}, 2);  // a smaller call still works
}

GRADED_TEST(RaggedForward, NeverReadsUnwrittenSlots, "3.3", strong_hire, 2) {
    SCOPED_TRACE("Unwritten slots hold NaN here. Strong hire: only the live rows of each row are read.");
    const Attention layer = three_groups_of_two(3326);
    KVCache cache = poisoned_cache(layer.config(), 2, 8, std::numeric_limits<Scalar>::quiet_NaN());
    RaggedRows rows(layer, cache, {5, 3}, 3327);
    rows.feed(cache, {3, 1}, 3);
    rows.feed(cache, {2, 2}, 2);
}

GRADED_TEST(RaggedForward, NeverExpandsKeysAndValues, "3.3", strong_hire, 3) {
    const Attention layer = random_layer(heads_config(8, 2, 32), 3328);
    const std::size_t past = 1000;
    KVCache cache = poisoned_cache(layer.config(), 1, past + 8);
    cache.append(random_tensor<4>({1, 2, past, 32}, 3329), random_tensor<4>({1, 2, past, 32}, 3330), {past});
    const Tensor<3> x = random_tensor<3>({1, 1, 256}, 3331);
    const Allocations used = count_allocations([&] { (void)layer.forward(x, cache, {1}); });
    if (used.peak_bytes >= cache.bytes()) {
        blame("keys_and_values_repeated");
        ADD_FAILURE()
            << "the call held " << used.peak_bytes << " bytes at one time; the cache has " << cache.bytes()
            << ". Strong hire: keys and values are neither copied out of the cache nor repeated to all heads.";
    }
}

}  // namespace
}  // namespace workbook::grading
