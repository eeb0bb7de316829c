// Step 3.5, the bonus: attend_streaming, and a layer that is configured for it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "allocations.hpp"
#include "answer.hpp"
#include "cached_calls.hpp"
#include "graded.hpp"
#include "group_call.hpp"
#include "sequences.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;

constexpr Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();

void expect_matches_oracle(const GroupCall& call, const Positions& positions) {
    EXPECT_ANSWER(attend_streaming(call.q, call.key_values(), positions), call.expected(positions),
                  [&](const Decisions& decisions) { return call.model(positions, decisions, true); });
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

GRADED_TEST(Streaming, MatchesTheOracleForAShortPrompt, "3.5", bonus, 2) {
    expect_matches_oracle(random_call(6, 3, 4, 4, 3501), last_positions(4, 4));
    expect_matches_oracle(random_call(6, 3, 4, 4, 3502, 16), last_positions(4, 4));
}

GRADED_TEST(Streaming, MatchesTheOracleForAPromptOfManyTiles, "3.5", bonus, 2) {
    expect_matches_oracle(random_call(2, 1, 70, 70, 3503), last_positions(70, 70));
}

GRADED_TEST(Streaming, MatchesTheOracleAroundMultiplesOfATile, "3.5", bonus, 2) {
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

GRADED_TEST(Streaming, LetsAChunkStartInsideATile, "3.5", bonus, 2) {
    expect_matches_oracle(random_call(2, 1, 40, 61, 3580), last_positions(40, 61));
    expect_matches_oracle(random_call(4, 2, 7, 135, 3581, 4), positions_after({90, 128}, 7));
}

GRADED_TEST(Streaming, TakesAnyPositions, "3.5", bonus, 1) {
    expect_matches_oracle(random_call(6, 3, 4, 140, 3582), Positions{{139, 0, 70, 63}, {64, 2, 128, 1}});
}

GRADED_TEST(Streaming, IsMultiHeadAndMultiQueryAttentionToo, "3.5", bonus, 2) {
    expect_matches_oracle(random_call(3, 3, 5, 70, 3583), last_positions(5, 70));
    expect_matches_oracle(random_call(3, 3, 1, 70, 3584, 16), last_positions(1, 70));
    expect_matches_oracle(random_call(5, 1, 5, 70, 3585), last_positions(5, 70));
    expect_matches_oracle(random_call(40, 1, 1, 70, 3586), last_positions(1, 70));
}

GRADED_TEST(Streaming, ReadsRowsThatHoldDifferentNumbersOfKeys, "3.5", bonus, 1) {
    GroupCall call = random_call(6, 3, 2, 140, 3587);
    call.lengths = {3, 131};
    expect_matches_oracle(call, Positions{{1, 2}, {129, 130}});
}

GRADED_TEST(Streaming, GivesZerosToQueriesThatSeeNothing, "3.5", bonus, 2) {
    GroupCall call = random_call(6, 3, 3, 70, 3588);
    const Positions positions{{68, 69, sees_nothing}, {5, sees_nothing, sees_nothing}};
    expect_matches_oracle(call, positions);
    call.q(0, 4, 2, 1) = nan;  // padding may hold anything
    expect_matches_oracle(call, positions);
    GroupCall one_row = random_call(6, 3, 3, 70, 3599);
    one_row.lengths = {70, 0};
    expect_matches_oracle(one_row, Positions{{67, 68, 69}, {sees_nothing, sees_nothing, sees_nothing}});
}

GRADED_TEST(Streaming, KeepsTheShapeOfAnEmptyCall, "3.5", bonus, 1) {
    expect_matches_oracle(random_call(6, 3, 0, 4, 3589), Positions({2, 0}));
    const Tensor<4> no_rows({0, 6, 2, 3});
    const Tensor<4> no_keys({0, 3, 2, 3});
    EXPECT_CLOSE(attend_streaming(no_rows, KeyValues(no_keys, no_keys), Positions({0, 2})), no_rows);
}

GRADED_TEST(Streaming, StaysFiniteForScoresInTheThousands, "3.5", bonus, 1) {
    for (const std::size_t kv_len : {140U, 4U}) {  // with few keys, some queries have no score above 0
        GroupCall call = random_call(6, 3, 4, kv_len, 3590);
        call.q *= Scalar{1500};
        expect_matches_oracle(call, last_positions(4, kv_len));
    }
}

GRADED_TEST(Streaming, FollowsAMaximumThatRisesOrFallsFromTileToTile, "3.5", bonus, 2) {
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

GRADED_TEST(Streaming, NeverReadsTilesThatNoQuerySees, "3.5", bonus, 1) {
    GroupCall call = random_call(4, 2, 2, 3000, 3592);
    const Positions positions{{4, 5}, {40, 41}};
    GroupCall seen = call;
    seen.lengths = {100, 100};
    xt::view(call.k, xt::all(), xt::all(), xt::range(2000, 3000)) = nan;  // no tile reaches from 41 to here
    xt::view(call.v, xt::all(), xt::all(), xt::range(2000, 3000)) = nan;
    const Tensor<4> out = attend_streaming(call.q, call.key_values(), positions);
    if (std::ranges::any_of(out, [](Scalar element) { return std::isnan(element); })) {
        blame("streaming_hidden_tiles_read");
    }
    EXPECT_CLOSE(out, seen.expected(positions));
}

// Bytes that a call with that many keys allocates, at most, at one time.
std::size_t peak_bytes(std::size_t kv_len) {
    // One row and one key/value head: groups that run side by side may or may not need their memory at one time.
    const Tensor<4> q = random_tensor<4>({1, 8, 3, 8}, 3593);
    const Tensor<4> k = random_tensor<4>({1, 1, kv_len, 8}, 3594);
    const Tensor<4> v = random_tensor<4>({1, 1, kv_len, 8}, 3595);
    const Positions positions = positions_after({kv_len - 3}, 3);
    const auto call = [&] { (void)attend_streaming(q, KeyValues(k, v), positions); };
    call();  // what is set up once does not count
    return count_allocations(call).peak_bytes;
}

GRADED_TEST(Streaming, TakesNoMoreMemoryForMoreKeys, "3.5", bonus, 3) {
    const std::size_t few = peak_bytes(1000);
    const std::size_t many = peak_bytes(5000);
    if (many > few + 4000) {  // a byte for each key would be a row of something
        blame("streaming_scores_kept");
        ADD_FAILURE() << "for 1000 keys the call allocated up to " << few << " bytes at one time, for 5000 keys "
                      << many << ". It has to be the same: hold the scores of one tile, not of all keys.";
    }
}

AttentionConfig streaming_config(std::size_t n_heads, std::size_t n_kv_heads, std::size_t head_dim) {
    AttentionConfig config = heads_config(n_heads, n_kv_heads, head_dim);
    config.streaming = true;
    return config;
}

GRADED_TEST(StreamingLayer, MatchesTheOracleWithoutACache, "3.5", bonus, 1) {
    for (const std::size_t n_kv_heads : {2U, 4U}) {
        const Attention layer = random_layer(streaming_config(4, n_kv_heads, 4), 3594);
        const Tensor<3> x = random_tensor<3>({2, 70, 16}, 3595);
        EXPECT_ANSWER(layer.forward(x), reference::forward(layer.config(), layer.weights(), reference::to_double(x)),
                      [&](const Decisions& decisions) {
                          return mistakes::forward(layer_of(layer), reference::to_double(x), decisions);
                      });
    }
}

GRADED_TEST(StreamingLayer, FeedsRaggedRowsThroughACacheWithNanInUnusedSlots, "3.5", bonus, 2) {
    const Attention layer = random_layer(streaming_config(2, 1, 4), 3596);
    KVCache cache = poisoned_cache(layer.config(), 2, 110, nan);
    RaggedRows rows(layer, cache, {100, 32}, 3597);
    rows.feed(cache, {64, 5}, 64, nan);
    rows.feed(cache, {30, 26}, 30, nan);
    rows.feed(cache, {1, 1}, 5, nan);
    rows.feed(cache, {5, 0}, 5, nan);
}

}  // namespace
}  // namespace workbook::grading
