// Step streaming.1: attend, and a layer that attends with it.
#include <limits>

#include "app/run/allocations.hpp"
#include "follow_ups/streaming/streaming.hpp"
#include "reference/mistakes/models/cached_calls.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/group_call.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/sequences.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;

constexpr Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();

void expect_matches_oracle(const GroupCall& call, const Positions& positions) {
    const GroupCall before = call;
    const Unchanged q_stays("q", call.q);
    const Unchanged k_stays("the keys", call.k);
    const Unchanged v_stays("the values", call.v);
    const Unchanged positions_stay("positions", positions);
    EXPECT_ANSWER(streaming::attend(call.q, call.key_values(), positions), before.expected(positions),
                  [&](const Decisions& decisions) { return before.model(positions, decisions, true); });
}

// For calls that are too large to be compared with every mistake.
void expect_close_to_oracle(const GroupCall& call, const Positions& positions) {
    EXPECT_CLOSE(streaming::attend(call.q, call.key_values(), positions), call.expected(positions));
}

// Any number of keys up to 20,000 and any extents, but few queries where there are many keys.
void expect_close_to_oracle_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t n_kv_heads = dice.roll_wide(1, 6);
        const std::size_t n_heads = n_kv_heads * dice.roll(1, 6);
        const std::size_t kv_len = dice.roll_wide(1, 20'000);
        const std::size_t q_len = dice.roll_wide(1, 40'000 / (n_heads * kv_len) + 1);
        Positions positions({2, q_len});
        for (Position& position : positions) {
            position = static_cast<Position>(dice.roll(0, kv_len)) - 1;
        }
        SCOPED_TRACE("H = " + std::to_string(n_heads) + ", Hkv = " + std::to_string(n_kv_heads) +
                     ", T = " + std::to_string(q_len) + ", S = " + std::to_string(kv_len));
        expect_close_to_oracle(random_call(n_heads, n_kv_heads, q_len, kv_len, dice.seed(), dice.roll(1, 5)),
                               positions);
    }
}

// The positions of q_len tokens after `past[b]` others.
Positions positions_after(const Lengths& past, std::size_t q_len) {
    Positions positions = reference::positions_from_zero(past.size(), q_len);
    for (std::size_t b = 0; b < past.size(); ++b) {
        xt::view(positions, b) += static_cast<Position>(past[b]);
    }
    return positions;
}

// Two rows whose last query sits at the last key.
Positions last_positions(std::size_t q_len, std::size_t kv_len) {
    return positions_after(Lengths(2, kv_len - q_len), q_len);
}

GRADED_TEST(Streaming, MatchesTheOracleForAShortPrompt, "streaming.1", hire, 2) {
    expect_matches_oracle(random_call(6, 3, 4, 4, 3501), last_positions(4, 4));
    for (const std::size_t head_dim : {1U, 11U, 16U, 17U, 33U}) {
        expect_matches_oracle(random_call(6, 3, 4, 4, 3502, head_dim), last_positions(4, 4));
    }
}

GRADED_TEST(Streaming, MatchesTheOracleForAPromptOfManyTiles, "streaming.1", hire, 2) {
    expect_matches_oracle(random_call(2, 1, 45, 45, 3503), last_positions(45, 45));
    // Three rows, 300 queries in a group.
    expect_close_to_oracle({random_tensor<4>({3, 5, 60, 3}, 3504), random_tensor<4>({3, 1, 200, 3}, 3505),
                            random_tensor<4>({3, 1, 200, 3}, 3506), Lengths(3, 200)},
                           positions_after(Lengths(3, 140), 60));
    check_long_calls(3605, expect_close_to_oracle);
}

GRADED_TEST(Streaming, MatchesTheOracleAroundMultiplesOfATile, "streaming.1", hire, 2) {
    // Whatever the tile is, some of these fill a last tile, leave one key for it, or lack one.
    unsigned seed = 3510;
    for (const std::size_t edge : {16U, 32U, 48U, 64U, 100U, 128U, 192U, 256U}) {
        for (const std::size_t kv_len : {edge - 1, edge, edge + 1}) {
            SCOPED_TRACE(std::to_string(kv_len) + " keys");
            expect_matches_oracle(random_call(4, 2, 1, kv_len, seed++), last_positions(1, kv_len));
            expect_matches_oracle(random_call(2, 1, 3, kv_len, seed++, 16), last_positions(3, kv_len));
            if (::testing::Test::HasFailure()) {
                return;  // looking for the mistake takes a while
            }
        }
    }
}

GRADED_TEST(Streaming, LetsAChunkStartInsideATile, "streaming.1", hire, 2) {
    expect_matches_oracle(random_call(2, 1, 20, 41, 3580), last_positions(20, 41));
    expect_matches_oracle(random_call(4, 2, 7, 135, 3581, 4), positions_after({90, 128}, 7));
}

GRADED_TEST(Streaming, TakesAnyPositions, "streaming.1", strong_hire, 1) {
    expect_matches_oracle(random_call(6, 3, 4, 140, 3582), Positions{{139, 0, 70, 63}, {64, 2, 128, 1}});
    expect_close_to_oracle(random_call(2, 1, 4, 2500, 3583), Positions{{2499, 3, 1100, 350}, {2047, 2048, 1, 600}});
    expect_close_to_oracle(random_call(2, 1, 2, 140, 3584), Positions{{140, 3000}, {5, 141}});  // beyond the last key
    expect_close_to_oracle_in_trials(40, 3603);
}

GRADED_TEST(Streaming, IsMultiHeadAndMultiQueryAttentionToo, "streaming.1", hire, 2) {
    expect_matches_oracle(random_call(3, 3, 5, 70, 3583), last_positions(5, 70));
    expect_matches_oracle(random_call(3, 3, 1, 70, 3584, 16), last_positions(1, 70));
    expect_matches_oracle(random_call(5, 1, 5, 70, 3585), last_positions(5, 70));
    expect_matches_oracle(random_call(40, 1, 1, 70, 3586), last_positions(1, 70));
}

GRADED_TEST(Streaming, ReadsRowsThatHoldDifferentNumbersOfKeys, "streaming.1", hire, 1) {
    GroupCall call = random_call(6, 3, 2, 140, 3587);
    call.lengths = {3, 131};
    expect_matches_oracle(call, Positions{{1, 2}, {129, 130}});
}

GRADED_TEST(Streaming, GivesZerosToQueriesThatSeeNothing, "streaming.1", strong_hire, 2) {
    GroupCall call = random_call(6, 3, 3, 70, 3588);
    const Positions positions{{68, 69, sees_nothing}, {5, sees_nothing, sees_nothing}};
    expect_matches_oracle(call, positions);
    call.q(0, 4, 2, 1) = nan;  // padding may hold anything
    expect_matches_oracle(call, positions);
    GroupCall one_row = random_call(6, 3, 3, 70, 3599);
    one_row.lengths = {70, 0};
    expect_matches_oracle(one_row, Positions{{67, 68, 69}, {sees_nothing, sees_nothing, sees_nothing}});
}

GRADED_TEST(Streaming, KeepsTheShapeOfAnEmptyCall, "streaming.1", strong_hire, 1) {
    expect_matches_oracle(random_call(6, 3, 0, 4, 3589), Positions({2, 0}));
    const Tensor<4> no_rows({0, 6, 2, 3});
    const Tensor<4> no_keys({0, 3, 2, 3});
    EXPECT_CLOSE(streaming::attend(no_rows, KeyValues(no_keys, no_keys), Positions({0, 2})), no_rows);
}

GRADED_TEST(Streaming, StaysFiniteForScoresInTheThousands, "streaming.1", strong_hire, 1) {
    for (const std::size_t kv_len : {140U, 4U}) {  // with few keys, some queries have no score above 0
        GroupCall call = random_call(6, 3, 4, kv_len, 3590);
        call.q *= Scalar{1500};
        expect_matches_oracle(call, last_positions(4, kv_len));
    }
    GroupCall many_queries = random_call(2, 1, 40, 140, 3600);
    many_queries.q *= Scalar{1500};
    expect_close_to_oracle(many_queries, last_positions(40, 140));
    for (const Scalar level : {Scalar{-2000}, Scalar{-20'000}}) {  // every score, over many tiles
        SCOPED_TRACE("scores around " + std::to_string(level));
        GroupCall low = random_call(2, 1, 3, 700, 3604, 4);
        low.q.fill(1);
        // Scores are equal or far apart, so that the rounding of such large ones does not show.
        low.k = level / 2 + 32 * xt::round(low.k);
        expect_close_to_oracle(low, last_positions(3, 700));
        expect_close_to_oracle(low, Positions{{699, 0, 350}, {128, 64, 63}});
    }
    GroupCall far_below = random_call(2, 1, 4, 4, 3601);  // scores of -50,000 and less; the first key's is the highest
    far_below.q.fill(0);
    xt::view(far_below.q, xt::all(), xt::all(), xt::all(), 0) = Scalar{100'000};
    for (std::size_t j = 0; j < 4; ++j) {
        xt::view(far_below.k, xt::all(), xt::all(), j, 0) = -static_cast<Scalar>(j + 1);
    }
    expect_close_to_oracle(far_below, last_positions(4, 4));
}

GRADED_TEST(Streaming, FollowsAMaximumThatRisesOrFallsFromTileToTile, "streaming.1", hire, 2) {
    for (const Scalar slope : {Scalar{0.5}, Scalar{-0.5}}) {
        SCOPED_TRACE(slope > 0 ? "later keys score higher" : "later keys score lower");
        GroupCall call = random_call(2, 1, 2, 200, 3591, 4);
        call.q.fill(1);
        for (std::size_t j = 0; j < 200; ++j) {
            xt::view(call.k, xt::all(), xt::all(), j) += slope * static_cast<Scalar>(j);
        }
        expect_matches_oracle(call, last_positions(2, 200));
    }
}

GRADED_TEST(Streaming, NeverReadsTilesThatNoQuerySees, "streaming.1", strong_hire, 1) {
    GroupCall call = random_call(4, 2, 2, 3000, 3592);
    const Positions positions{{4, 41}, {40, 2999}};
    const reference::Array<4> expected = call.expected(positions);
    const Tensor<4> clean = streaming::attend(call.q, call.key_values(), positions);
    xt::view(call.k, 0, xt::all(), xt::range(2000, 3000)) = nan;  // no tile of row 0 reaches from 41 to here
    xt::view(call.v, 0, xt::all(), xt::range(2000, 3000)) = nan;
    const Tensor<4> out = streaming::attend(call.q, call.key_values(), positions);
    if (!mistakes::agrees(values_of(out), values_of(clean))) {
        blame("streaming_hidden_tiles_read");
    }
    EXPECT_CLOSE(out, expected);
}

// From call to call, nothing may be kept that depends on it.
GRADED_TEST(Streaming, AnswersEveryCallByItself, "streaming.1", strong_hire, 1) {
    GroupCall call = random_call(8, 4, 20, 300, 3602, 16);
    const Positions positions = last_positions(20, 300);
    for (int i = 0; i < 10; ++i) {
        for (Scalar& element : call.q) {  // in the same memory
            element += Scalar{0.125};
        }
        expect_close_to_oracle(call, positions);
    }
}

// Bytes that a call with that many queries and keys allocates, at most, at one time.
std::size_t peak_bytes(std::size_t q_len, std::size_t kv_len) {
    // One row and one key/value head: groups that run side by side may or may not need their memory at one time.
    const Tensor<4> q = random_tensor<4>({1, 4, q_len, 2}, 3593);
    const Tensor<4> k = random_tensor<4>({1, 1, kv_len, 2}, 3594);
    const Tensor<4> v = random_tensor<4>({1, 1, kv_len, 2}, 3595);
    const Positions positions = positions_after({kv_len - q_len}, q_len);
    return count_allocations([&] { (void)streaming::attend(q, KeyValues(k, v), positions); }).peak_bytes;
}

GRADED_TEST(Streaming, TakesNoMoreMemoryForMoreKeys, "streaming.1", strong_hire, 2) {
    constexpr std::size_t few_keys = 5000;  // no tile is larger
    constexpr std::size_t many_keys = 30'000;
    for (const std::size_t q_len : {3U, 20U}) {
        (void)peak_bytes(q_len, few_keys);  // what is set up once does not count
        const std::size_t few = peak_bytes(q_len, few_keys);
        const std::size_t many = peak_bytes(q_len, many_keys);
        if (many > few + 4000) {  // much less than a byte for each key
            blame("streaming_scores_kept");
            ADD_FAILURE() << "with T = " << q_len << ", the call allocated up to " << few << " bytes at one time for "
                          << few_keys << " keys, and " << many << " for " << many_keys
                          << ". It has to be the same: hold the scores of one tile, not of all keys.";
        }
    }
}

GRADED_TEST(StreamingLayer, MatchesTheOracleForAWholePrompt, "streaming.1", hire, 1) {
    for (const std::size_t n_kv_heads : {2U, 4U}) {
        const Attention layer = random_layer(heads_config(4, n_kv_heads, 4), 3594);
        KVCache cache = poisoned_cache(layer.config(), 2, 24);
        RaggedRows rows(layer, cache, {24, 24}, 3595, streaming::forward);
        rows.feed(cache, {24, 24}, 24);
    }
}

GRADED_TEST(StreamingLayer, FeedsRaggedRowsThroughACacheWithNanInUnusedSlots, "streaming.1", strong_hire, 2) {
    const Attention layer = random_layer(heads_config(2, 1, 4), 3596);
    KVCache cache = poisoned_cache(layer.config(), 2, 110, nan);
    RaggedRows rows(layer, cache, {100, 32}, 3597, streaming::forward);
    rows.feed(cache, {64, 5}, 64, nan);
    rows.feed(cache, {30, 26}, 30, nan);
    rows.feed(cache, {1, 1}, 5, nan);
    rows.feed(cache, {5, 0}, 5, nan);
}

}  // namespace
}  // namespace workbook::grading
