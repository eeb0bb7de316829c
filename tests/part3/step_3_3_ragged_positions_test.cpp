// Step 3.3: ragged_positions.
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/graded.hpp"

namespace workbook::grading {
namespace {

void expect_positions(const Lengths& past, const Lengths& n_new, const Positions& expected) {
    const std::size_t q_len = expected.shape(1);
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
}

GRADED_TEST(RaggedPositions, KeepTheShapeOfAnEmptyCall, "3.3", strong_hire, 1) {
    EXPECT_CLOSE(ragged_positions({3, 4}, {0, 0}, 0), Positions({2, 0}));
    EXPECT_CLOSE(ragged_positions({}, {}, 5), Positions({0, 5}));
}

}  // namespace
}  // namespace workbook::grading
