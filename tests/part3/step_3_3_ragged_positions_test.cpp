// Step 3.3: ragged_positions.
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

void expect_positions(const Lengths& past, const Lengths& n_new, const Positions& expected) {
    const std::size_t q_len = expected.shape(1);
    const Unchanged past_stays("past", past);
    const Unchanged n_new_stays("n_new", n_new);
    EXPECT_ANSWER(ragged_positions(past, n_new, q_len), expected, [&](const mistakes::Decisions& decisions) {
        return mistakes::ragged_positions(past, n_new, q_len, decisions);
    });
}

GRADED_TEST(RaggedPositions, ContinueBehindWhatEachRowHolds, "3.3", hire, 2) {
    expect_positions({0, 3, 7}, {2, 2, 2}, {{0, 1}, {3, 4}, {7, 8}});
}

GRADED_TEST(RaggedPositions, MarkPaddedSlotsAsSeeingNothing, "3.3", hire, 3) {
    expect_positions({0, 4}, {3, 1}, {{0, 1, 2}, {4, -1, -1}});
    expect_positions({2, 5}, {0, 2}, {{-1, -1}, {5, 6}});
    expect_positions({5, 2}, {2, 0}, {{5, 6}, {-1, -1}});  // nothing may be left over from the call before
    Dice dice(3336);
    for (int trial = 0; trial < 40 && !::testing::Test::HasFailure(); ++trial) {
        Lengths past(dice.roll_wide(1, 40));
        Lengths n_new(past.size());
        Positions expected({past.size(), dice.roll_wide(1, 1200 / past.size())});
        expected.fill(sees_nothing);
        for (std::size_t b = 0; b < past.size(); ++b) {
            past[b] = dice.roll_wide(0, 1'000'000);
            n_new[b] = dice.roll(0, expected.shape(1));
            for (std::size_t t = 0; t < n_new[b]; ++t) {
                expected(b, t) = static_cast<Position>(past[b]) + static_cast<Position>(t);
            }
        }
        expect_positions(past, n_new, expected);
    }
    for (const auto& [batch, q_len] : each_long<2>({1, 1})) {
        Positions expected({batch, q_len});
        for (std::size_t b = 0; b < batch; ++b) {
            for (std::size_t t = 0; t < q_len; ++t) {
                expected(b, t) = static_cast<Position>(t + 1);
            }
        }
        expect_positions(Lengths(batch, 1), Lengths(batch, q_len), expected);
    }
}

GRADED_TEST(RaggedPositions, KeepTheShapeOfAnEmptyCall, "3.3", strong_hire, 1) {
    EXPECT_CLOSE(ragged_positions({3, 4}, {0, 0}, 0), Positions({2, 0}));
    EXPECT_CLOSE(ragged_positions({}, {}, 5), Positions({0, 5}));
}

}  // namespace
}  // namespace workbook::grading
