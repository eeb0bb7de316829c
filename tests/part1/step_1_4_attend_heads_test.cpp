// Step 1.4: attend_heads.
#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

using reference::to_double;

// Row b shows `lengths[b]` of the rows of k and v.
void expect_attended(const Tensor<4>& q, const Tensor<4>& k, const Tensor<4>& v, const Lengths& lengths,
                     const Positions& positions) {
    const reference::Array<4> queries = to_double(q);
    const mistakes::KeyRows rows{to_double(k), to_double(v), lengths};
    const Unchanged q_stays("q", q);
    const Unchanged k_stays("the keys", k);
    const Unchanged v_stays("the values", v);
    const Unchanged positions_stay("positions", positions);
    EXPECT_ANSWER(
        attend_heads(q, KeyValues(k, v, lengths), positions), reference::attend(queries, rows.k, rows.v, positions),
        [&](const mistakes::Decisions& decisions) { return mistakes::attend(queries, rows, positions, decisions); });
}

// Rows that show very different numbers of keys; what lies behind them is large.
void expect_heads_attended_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t batch = dice.roll(1, 4);
        const std::size_t n_heads = dice.roll_wide(1, 12);
        const std::size_t kv_len = dice.roll_wide(1, 600);
        const std::size_t q_len = dice.roll_wide(1, 3000 / (kv_len * n_heads) + 1);
        const std::size_t head_dim = dice.roll(1, 5);
        Lengths lengths(batch);
        Positions positions({batch, q_len});
        Tensor<4> k = random_tensor<4>({batch, n_heads, kv_len, head_dim}, dice.seed());
        Tensor<4> v = random_tensor<4>({batch, n_heads, kv_len, head_dim}, dice.seed());
        for (std::size_t b = 0; b < batch; ++b) {
            lengths[b] = dice.roll_wide(0, kv_len);
            for (std::size_t t = 0; t < q_len; ++t) {
                positions(b, t) = static_cast<Position>(dice.roll(0, lengths[b])) - 1;
            }
            auto behind = xt::range(lengths[b], kv_len);
            xt::view(k, b, xt::all(), behind) = Scalar{50};
            xt::view(v, b, xt::all(), behind) = Scalar{-50};
        }
        SCOPED_TRACE("B = " + std::to_string(batch) + ", H = " + std::to_string(n_heads) +
                     ", T = " + std::to_string(q_len) + ", up to " + std::to_string(kv_len) +
                     " keys, d = " + std::to_string(head_dim));
        expect_attended(random_tensor<4>({batch, n_heads, q_len, head_dim}, dice.seed()), k, v, lengths, positions);
    }
}

// As above, long in one direction at a time; the last query sees all keys.
void expect_heads_attended_when_long() {
    for (const auto& [batch, n_heads, q_len, kv_len, head_dim] :
         each_long<5>({1, 2, 2, 2, 2}, {many_threads, many_threads, long_extent, long_extent, long_extent})) {
        SCOPED_TRACE(shape_text(std::array{batch, n_heads, q_len, head_dim}) + " and " + std::to_string(kv_len) +
                     " keys");
        Positions positions({batch, q_len}, 0);
        xt::view(positions, xt::all(), q_len - 1) = static_cast<Position>(kv_len) - 1;
        const std::array<std::size_t, 4> rows{batch, n_heads, kv_len, head_dim};
        expect_attended(random_tensor<4>({batch, n_heads, q_len, head_dim}, 1419), random_tensor<4>(rows, 1420),
                        random_tensor<4>(rows, 1421), Lengths(batch, kv_len), positions);
    }
}

GRADED_TEST(AttendHeads, MatchesTheFormulaForEveryRowAndHead, "1.4", hire, 5) {
    for (const unsigned seed : {1401U, 1411U}) {  // two calls: nothing may be left over from the first
        const Tensor<4> q = random_tensor<4>({2, 5, 7, 2}, seed);
        const Tensor<4> k = random_tensor<4>({2, 5, 7, 2}, seed + 1);
        const Tensor<4> v = random_tensor<4>({2, 5, 7, 2}, seed + 2);
        const Positions positions = reference::positions_from_zero(2, 7);
        expect_attended(q, k, v, Lengths(k.shape(0), k.shape(2)), positions);
    }
}

GRADED_TEST(AttendHeads, UsesThePositionsOfEachRow, "1.4", hire, 4) {
    const Tensor<4> q = random_tensor<4>({3, 2, 2, 3}, 1404);
    const Tensor<4> k = random_tensor<4>({3, 2, 6, 3}, 1405);
    const Tensor<4> v = random_tensor<4>({3, 2, 6, 3}, 1406);
    const Lengths all(3, 6);
    expect_attended(q, k, v, all, {{4, 5}, {1, 2}, {2, 3}});
    expect_attended(q, k, v, all, {{3, 1}, {sees_nothing, 4}, {0, 5}});  // in no order, and one that sees nothing
    const Tensor<4> one = random_tensor<4>({3, 2, 1, 3}, 1417);
    expect_attended(one, k, v, all, {{2}, {5}, {0}});  // a single query, not at the last key
}

GRADED_TEST(AttendHeads, ReadsRowsThatHoldDifferentNumbersOfKeys, "1.4", hire, 3) {
    // Row 0 shows 3 of 6 slots, row 1 all of them, and the positions stay below.
    const Tensor<4> q = random_tensor<4>({2, 2, 1, 3}, 1407);
    const Tensor<4> k = random_tensor<4>({2, 2, 6, 3}, 1408);
    const Tensor<4> v = random_tensor<4>({2, 2, 6, 3}, 1409);
    const Positions positions{{2}, {5}};
    expect_attended(q, k, v, {3, 6}, positions);
    expect_heads_attended_in_trials(40, 1418);
    expect_heads_attended_when_long();
}

GRADED_TEST(AttendHeads, TakesARowWithoutKeys, "1.4", strong_hire, 1) {
    const Tensor<4> q = random_tensor<4>({2, 2, 1, 3}, 1414);
    const Tensor<4> k = random_tensor<4>({2, 2, 6, 3}, 1415);
    const Tensor<4> v = random_tensor<4>({2, 2, 6, 3}, 1416);
    expect_attended(q, k, v, {5, 0}, {{4}, {sees_nothing}});
    expect_attended(q, k, v, {0, 5}, {{sees_nothing}, {4}});
}

GRADED_TEST(AttendHeads, KeepsTheShapeOfAnEmptyCall, "1.4", strong_hire, 1) {
    const Tensor<4> no_tokens({2, 3, 0, 4});
    EXPECT_CLOSE(attend_heads(no_tokens, KeyValues(no_tokens, no_tokens), Positions({2, 0})), no_tokens);
    const Tensor<4> no_rows({0, 3, 2, 4});
    EXPECT_CLOSE(attend_heads(no_rows, KeyValues(no_rows, no_rows), Positions({0, 2})), no_rows);
}

}  // namespace
}  // namespace workbook::grading
