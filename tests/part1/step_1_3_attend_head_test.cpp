// Step 1.3: attend_head.
#include <algorithm>
#include <limits>

#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

using reference::Array;

// Queries, keys and values of one head, with the positions of the queries.
struct Head {
    Matrix q, k, v;
    std::vector<Position> positions;
};

Head random_head(std::size_t kv_len, std::size_t head_dim, const std::vector<Position>& positions, unsigned seed,
                 double scale = 1.0) {
    return {random_tensor<2>({positions.size(), head_dim}, seed, scale),
            random_tensor<2>({kv_len, head_dim}, seed + 1, scale), random_tensor<2>({kv_len, head_dim}, seed + 2),
            positions};
}

Matrix attend_head(const Head& head) {
    return workbook::attend_head(view_matrix(head.q), view_matrix(head.k), view_matrix(head.v), head.positions);
}

// The oracle's four axes, with one row and one head.
Array<4> as_heads(const Matrix& matrix) {
    Array<4> heads({1, 1, matrix.shape(0), matrix.shape(1)});
    std::copy(matrix.begin(), matrix.end(), heads.begin());
    return heads;
}

Positions as_positions(const Head& head) {
    Positions positions({1, head.positions.size()});
    std::copy(head.positions.begin(), head.positions.end(), positions.begin());
    return positions;
}

Array<2> as_matrix(const Array<4>& heads) {
    Array<2> rows({heads.shape(2), heads.shape(3)});
    std::copy(heads.begin(), heads.end(), rows.begin());
    return rows;
}

Array<2> expected_of(const Head& head) {
    return as_matrix(reference::attend(as_heads(head.q), as_heads(head.k), as_heads(head.v), as_positions(head)));
}

void expect_attended(const Head& head) {
    const Array<4> q = as_heads(head.q);
    const mistakes::KeyRows rows{as_heads(head.k), as_heads(head.v), {head.k.shape(0)}};
    const Positions positions = as_positions(head);
    const Unchanged q_stays("q", head.q);
    const Unchanged k_stays("k", head.k);
    const Unchanged v_stays("v", head.v);
    const Unchanged positions_stay("positions", head.positions);
    EXPECT_ANSWER(attend_head(head), as_matrix(reference::attend(q, rows.k, rows.v, positions)),
                  [&](const mistakes::Decisions& decisions) {
                      return as_matrix(mistakes::attend(q, rows, positions, decisions));
                  });
}

// Queries at any positions, in any order, over any number of keys; one query half of the time.
void expect_attended_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t kv_len = dice.roll_wide(1, 5000);
        const std::size_t n_queries = dice.roll(0, 1) == 0 ? 1 : dice.roll_wide(1, 8000 / kv_len + 1);
        std::vector<Position> positions(n_queries);
        std::ranges::generate(positions, [&] { return static_cast<Position>(dice.roll(0, kv_len + 1)) - 1; });
        const std::size_t head_dim = dice.roll(1, 6);
        SCOPED_TRACE("R = " + std::to_string(n_queries) + ", S = " + std::to_string(kv_len) +
                     ", d = " + std::to_string(head_dim));
        expect_attended(random_head(kv_len, head_dim, positions, dice.seed()));
    }
}

GRADED_TEST(AttendHead, MatchesTheFormulaForAWholePrompt, "1.3", hire, 4) {
    for (const unsigned seed : {1301U, 1311U}) {  // two calls: nothing may be left over from the first
        const Head head = random_head(5, 3, {0, 1, 2, 3, 4}, seed);
        expect_attended(head);
    }
}

GRADED_TEST(AttendHead, ScalesScoresByTheHeadWidth, "1.3", hire, 3) {
    for (const std::size_t head_dim : {1U, 2U, 5U, 8U}) {
        SCOPED_TRACE("d = " + std::to_string(head_dim));
        const Head head = random_head(5, head_dim, {0, 1, 2, 3, 4}, 1302);
        expect_attended(head);
    }
}

GRADED_TEST(AttendHead, PlacesQueriesAtTheirAbsolutePositions, "1.3", hire, 4) {
    // Two queries that come after three keys, then positions in no order at all.
    const Head chunk = random_head(5, 3, {3, 4}, 1303);
    expect_attended(chunk);
    const Head shuffled = random_head(6, 3, {5, 0, 2, 2}, 1304);
    expect_attended(shuffled);
    const Head same_shape = random_head(6, 3, {1, 3, 0, 4}, 1312);
    expect_attended(same_shape);
    const Head more_queries_than_keys = random_head(3, 3, {0, 1, 2, 0, 1, 2, 0, 1, 2}, 1313);
    expect_attended(more_queries_than_keys);
    const Head many_keys = random_head(200, 9, {150, 3, 199}, 1314);
    expect_attended(many_keys);
    const Head wide = random_head(5, long_extent, {3, 4}, 1316);
    expect_attended(wide);
    expect_attended_in_trials(60, 1315);
}

GRADED_TEST(AttendHead, NeverLooksAhead, "1.3", hire, 3) {
    Head head = random_head(5, 3, {0, 1, 2}, 1305);
    const Matrix before = attend_head(head);
    for (std::size_t j = 3; j < 5; ++j) {  // keys that no query may see
        for (std::size_t c = 0; c < 3; ++c) {
            head.k(j, c) += 7;
            head.v(j, c) -= 9;
        }
    }
    EXPECT_CLOSE(attend_head(head), before);
    expect_attended(head);
}

GRADED_TEST(AttendHead, SeesItsOwnToken, "1.3", hire, 2) {
    // The only key that a query at position 0 sees is its own, so it gets that value as it is.
    const Head head = random_head(3, 3, {0}, 1306);
    const Array<2> first_value{{head.v(0, 0), head.v(0, 1), head.v(0, 2)}};
    EXPECT_CLOSE(expected_of(head), first_value);
    expect_attended(head);
}

GRADED_TEST(AttendHead, GivesZerosToAQueryThatSeesNothing, "1.3", strong_hire, 3) {
    Head head = random_head(5, 3, {2, sees_nothing, 1, sees_nothing}, 1307);
    expect_attended(head);
    SCOPED_TRACE("query row 1, which sees nothing, holds NaN: padding may hold anything");
    head.q(1, 0) = std::numeric_limits<Scalar>::quiet_NaN();
    expect_attended(head);
}

GRADED_TEST(AttendHead, StaysFiniteForScoresInTheThousands, "1.3", strong_hire, 3) {
    // Scores of this size overflow exp, and show a mask that is only a large negative number.
    const Head head = random_head(6, 3, {0, 1, 2, 3, 4, 5}, 1308, 50.0);
    expect_attended(head);
}

GRADED_TEST(AttendHead, HidesKeysHoweverLowTheVisibleScoreIs, "1.3", strong_hire, 1) {
    // The one visible key has a score of -1e12; a hidden one has 0. Hidden has to mean lower than any score.
    const Head head{{{-1e6}}, {{1e6}, {0}}, {{1}, {2}}, {0}};
    expect_attended(head);
}

GRADED_TEST(AttendHead, TakesNoKeysAndNoQueries, "1.3", strong_hire, 1) {
    const Head no_keys = random_head(0, 3, {0, sees_nothing}, 1309);
    expect_attended(no_keys);
    const Head no_queries = random_head(4, 3, {}, 1310);
    expect_attended(no_queries);
}

}  // namespace
}  // namespace workbook::grading
