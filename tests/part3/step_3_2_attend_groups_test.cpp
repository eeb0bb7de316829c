// Step 3.2: attend_groups, and the uncached layer that uses it.
#include <limits>

#include "app/run/allocations.hpp"
#include "reference/mistakes/models/cached_calls.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/group_call.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;
using reference::to_double;

void expect_matches_oracle(const GroupCall& call, const Positions& positions) {
    const GroupCall before = call;
    const Unchanged q_stays("q", call.q);
    const Unchanged k_stays("the keys", call.k);
    const Unchanged v_stays("the values", call.v);
    const Unchanged positions_stay("positions", positions);
    EXPECT_ANSWER(attend_groups(call.q, call.key_values(), positions), before.expected(positions),
                  [&](const Decisions& decisions) { return before.model(positions, decisions); });
}

// Groups of any size, and many of them; rows that show very different numbers of keys.
void expect_matches_oracle_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t n_kv_heads = dice.roll_wide(1, 20);
        const std::size_t group_size = dice.roll(1, 9);
        const std::size_t kv_len = dice.roll_wide(1, 600);
        const std::size_t q_len = dice.roll_wide(1, 3000 / (n_kv_heads * group_size * kv_len) + 1);
        const std::size_t batch = dice.roll(1, 3);
        GroupCall call =
            random_call(n_kv_heads * group_size, n_kv_heads, q_len, kv_len, dice.seed(), dice.roll(1, 5), batch);
        Positions positions({batch, q_len});
        for (std::size_t b = 0; b < batch; ++b) {
            call.lengths[b] = dice.roll_wide(0, kv_len);
            for (std::size_t t = 0; t < q_len; ++t) {
                positions(b, t) = static_cast<Position>(dice.roll(0, call.lengths[b])) - 1;
            }
            auto behind = xt::range(call.lengths[b], kv_len);
            xt::view(call.k, b, xt::all(), behind) = Scalar{50};
            xt::view(call.v, b, xt::all(), behind) = Scalar{-50};
        }
        SCOPED_TRACE("H = " + std::to_string(n_kv_heads * group_size) + ", Hkv = " + std::to_string(n_kv_heads) +
                     ", T = " + std::to_string(q_len) + ", up to " + std::to_string(kv_len) + " keys");
        expect_matches_oracle(call, positions);
    }
}

GRADED_TEST(AttendGroups, MatchesTheOracleForThreeGroupsOfTwo, "3.2", hire, 5) {
    expect_matches_oracle(random_call(6, 3, 4, 4, 3201), reference::positions_from_zero(2, 4));
}

GRADED_TEST(AttendGroups, MatchesTheOracleForTwoGroupsOfFour, "3.2", hire, 3) {
    expect_matches_oracle(random_call(8, 2, 4, 4, 3202), reference::positions_from_zero(2, 4));
    expect_matches_oracle(random_call(8, 2, 3, 150, 3218, 8), Positions{{147, 148, 149}, {7, 8, 9}});
    expect_matches_oracle_in_trials(60, 3221);
    check_long_calls(3222, expect_matches_oracle);
}

GRADED_TEST(AttendGroups, IsMultiHeadAttentionWhenEveryHeadHasItsOwn, "3.2", hire, 2) {
    expect_matches_oracle(random_call(4, 4, 3, 3, 3203), reference::positions_from_zero(2, 3));
}

GRADED_TEST(AttendGroups, IsMultiQueryAttentionWhenAllShareOne, "3.2", hire, 3) {
    expect_matches_oracle(random_call(5, 1, 3, 3, 3204), reference::positions_from_zero(2, 3));
}

GRADED_TEST(AttendGroups, UsesThePositionsOfEachRow, "3.2", hire, 3) {
    // Three queries on top of a past, each row with a past of its own.
    expect_matches_oracle(random_call(6, 3, 3, 8, 3205), Positions{{5, 6, 7}, {1, 2, 3}});
    expect_matches_oracle(random_call(6, 3, 3, 8, 3219), Positions{{0, 1, 2}, {4, 5, 6}});  // the same shape again
    expect_matches_oracle(random_call(6, 3, 1, 8, 3216), Positions{{4}, {2}});
}

GRADED_TEST(AttendGroups, ReadsRowsThatHoldDifferentNumbersOfKeys, "3.2", strong_hire, 2) {
    GroupCall call = random_call(6, 3, 2, 8, 3206);
    call.lengths = {3, 8};
    expect_matches_oracle(call, Positions{{1, 2}, {6, 7}});
}

GRADED_TEST(AttendGroups, GivesZerosToQueriesThatSeeNothing, "3.2", strong_hire, 3) {
    GroupCall call = random_call(6, 3, 3, 4, 3207);
    const Positions positions{{1, 2, sees_nothing}, {3, sees_nothing, sees_nothing}};
    expect_matches_oracle(call, positions);
    SCOPED_TRACE("query token 2 of row 0, head 4, which sees nothing, holds NaN: padding may hold anything");
    call.q(0, 4, 2, 1) = std::numeric_limits<Scalar>::quiet_NaN();
    expect_matches_oracle(call, positions);
}

GRADED_TEST(AttendGroups, TakesARowWithoutKeys, "3.2", strong_hire, 1) {
    GroupCall call = random_call(6, 3, 3, 4, 3220);
    call.lengths = {3, 0};
    expect_matches_oracle(call, Positions{{0, 1, 2}, {sees_nothing, sees_nothing, sees_nothing}});
}

GRADED_TEST(AttendGroups, KeepsTheShapeOfAnEmptyCall, "3.2", strong_hire, 1) {
    expect_matches_oracle(random_call(6, 3, 0, 4, 3208), Positions({2, 0}));
    const Tensor<4> no_rows({0, 6, 2, 3});
    const Tensor<4> no_keys({0, 3, 2, 3});
    EXPECT_CLOSE(attend_groups(no_rows, KeyValues(no_keys, no_keys), Positions({0, 2})), no_rows);
}

GRADED_TEST(AttendGroups, StaysFiniteForScoresInTheThousands, "3.2", strong_hire, 1) {
    GroupCall call = random_call(6, 3, 4, 4, 3217);
    call.q *= Scalar{1500};
    expect_matches_oracle(call, reference::positions_from_zero(2, 4));
}

GRADED_TEST(AttendGroups, NeverExpandsKeysAndValues, "3.2", strong_hire, 4) {
    // 8 query heads share 2: repeating keys and values would take four times the bytes that they have.
    const Tensor<4> q = random_tensor<4>({1, 8, 1, 32}, 3209);
    const Tensor<4> k = random_tensor<4>({1, 2, 2000, 32}, 3210);
    const Tensor<4> v = random_tensor<4>({1, 2, 2000, 32}, 3211);
    const std::size_t compact_bytes = (k.size() + v.size()) * sizeof(Scalar);
    const Allocations used = count_allocations([&] { (void)attend_groups(q, KeyValues(k, v), Positions{{1999}}); });
    if (used.peak_bytes >= compact_bytes || used.total_bytes >= 2 * compact_bytes) {
        blame("keys_and_values_repeated");
        ADD_FAILURE() << "the call allocated " << used.total_bytes << " bytes, up to " << used.peak_bytes
                      << " at one time; keys and values have " << compact_bytes
                      << ". Strong hire: the query heads of a group read the same keys and values; nothing is repeated "
                         "to all heads, neither at once nor head by head.";
    }
}

GRADED_TEST(GroupedForward, MatchesTheOracleWithoutACache, "3.2", hire, 2) {
    const Attention layer = random_layer(heads_config(6, 3, 3), 3212);
    const Tensor<3> x = random_tensor<3>({2, 5, 18}, 3213);
    EXPECT_ANSWER(
        layer.forward(x), reference::forward(layer.config(), layer.weights(), to_double(x)),
        [&](const Decisions& decisions) { return mistakes::forward(layer_of(layer), to_double(x), decisions); });
}

GRADED_TEST(GroupedForward, MatchesTheOracleOnTopOfACache, "3.2", hire, 2) {
    const Attention layer = random_layer(heads_config(6, 3, 3), 3332);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    const Tensor<3> x = random_tensor<3>({2, 6, 18}, 3333);
    const reference::Array<3> whole = reference::forward(layer.config(), layer.weights(), to_double(x));
    CachedCalls calls(layer, cache);
    std::size_t begin = 0;
    for (const std::size_t n : {3U, 2U, 1U}) {
        SCOPED_TRACE("tokens " + std::to_string(begin) + " to " + std::to_string(begin + n) + " (exclusive)");
        const Tensor<3> chunk = tokens(x, begin, begin + n);
        calls.note(chunk);
        const reference::Array<3> expected = xt::view(whole, xt::all(), xt::range(begin, begin + n));
        ASSERT_ANSWER(layer.forward(chunk, cache), expected,
                      [&](const Decisions& decisions) { return calls.answer(decisions); });
        begin += n;
    }
}

// Repeats each key/value head of a weight [D, Hkv·d] group_size times in a row: [D, H·d].
Matrix repeat_columns(const Matrix& w, std::size_t head_dim, std::size_t group_size) {
    Matrix repeated({w.shape(0), w.shape(1) * group_size});
    for (std::size_t r = 0; r < repeated.shape(0); ++r) {
        for (std::size_t c = 0; c < repeated.shape(1); ++c) {
            repeated(r, c) = w(r, c / (head_dim * group_size) * head_dim + c % head_dim);
        }
    }
    return repeated;
}

GRADED_TEST(GroupedForward, EqualsMultiHeadAttentionWithRepeatedWeights, "3.2", hire, 2) {
    const AttentionConfig grouped_config = heads_config(6, 3, 2);
    const AttentionWeights weights = random_weights(grouped_config, 3214);
    const AttentionWeights repeated{weights.wq, repeat_columns(weights.wk, 2, 2), repeat_columns(weights.wv, 2, 2),
                                    weights.wo};
    const Attention grouped(grouped_config, weights);
    const Attention multi_head(heads_config(6, 6, 2), repeated);
    const Tensor<3> x = random_tensor<3>({2, 5, 12}, 3215);
    EXPECT_CLOSE(grouped.forward(x), multi_head.forward(x));
}

}  // namespace
}  // namespace workbook::grading
