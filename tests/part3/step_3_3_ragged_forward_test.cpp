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

// Many rows; a cache with a single slot for each of them.
void expect_many_rows_match() {
    const Attention layer = random_layer(heads_config(2, 1, 2), 3337);
    for (const std::size_t max_len : {1U, 3U}) {
        const std::size_t batch = max_len == 1 ? 3 : long_extent;
        KVCache cache = poisoned_cache(layer.config(), batch, max_len);
        RaggedRows rows(layer, cache, Lengths(batch, 1), 3338);
        Lengths n_new(batch, 1);
        n_new[0] = 0;
        rows.feed(cache, n_new, 2);
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
    EXPECT_ANSWER(layer.forward(x, cache, n_new), calls.answer({}),
                  [&](const mistakes::Decisions& decisions) { return calls.answer(decisions); });
}

// Calls that are large in one direction.
void expect_large_calls_match() {
    constexpr std::size_t many = 260;  // as many heads as rows would take weights of megabytes
    expect_ragged_calls_match(random_layer(heads_config(many, many, 1), 3343), {{1, 0}, {0, 1}}, 3344);
    expect_ragged_calls_match(random_layer(heads_config(1, 1, many), 3345), {{1, 0}, {0, 1}}, 3346);
    const Attention narrow = random_layer(heads_config(2, 1, 1), 3347);
    expect_ragged_calls_match(narrow, {{2, 1}, {1, 1}}, 3348, long_extent);
    KVCache cache = poisoned_cache(narrow.config(), 1, many + 1);
    RaggedRows long_prompt(narrow, cache, {many + 1}, 3349);
    long_prompt.feed(cache, {many}, many);
    long_prompt.feed(cache, {1}, 1);
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
    expect_many_rows_match();
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
