// Step 2.2: call_positions.
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

void expect_positions(const Lengths& past, const Positions& expected) {
    const std::size_t q_len = expected.shape(1);
    const Unchanged past_stays("past", past);
    EXPECT_ANSWER(call_positions(past, q_len), expected, [&](const mistakes::Decisions& decisions) {
        return mistakes::call_positions(past, q_len, decisions);
    });
}

void expect_positions_behind(const Lengths& past, std::size_t q_len) {
    Positions expected({past.size(), q_len});
    for (std::size_t b = 0; b < past.size(); ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            expected(b, t) = static_cast<Position>(past[b]) + static_cast<Position>(t);
        }
    }
    expect_positions(past, expected);
}

GRADED_TEST(CallPositions, StartAtZeroForAnEmptyCache, "2.2", hire, 2) {
    expect_positions({0, 0}, {{0, 1, 2}, {0, 1, 2}});
}

GRADED_TEST(CallPositions, ContinueBehindWhatEachRowHolds, "2.2", hire, 4) {
    expect_positions({4, 4}, {{4}, {4}});
    expect_positions({3, 0, 7}, {{3, 4}, {0, 1}, {7, 8}});
    expect_positions({0, 7, 3}, {{0, 1}, {7, 8}, {3, 4}});  // nothing may be left over from the call before
    expect_positions({1, 0, 1}, {{1, 2}, {0, 1}, {1, 2}});
    expect_positions({100'000}, {{100'000, 100'001}});
    expect_positions({16'777'216, 8'589'934'592}, {{16'777'216, 16'777'217}, {8'589'934'592, 8'589'934'593}});
    Dice dice(2201);
    for (int trial = 0; trial < 40 && !::testing::Test::HasFailure(); ++trial) {
        Lengths past(dice.roll_wide(1, 40));
        const std::size_t q_len = dice.roll_wide(1, 1200 / past.size());
        for (std::size_t& length : past) {
            length = dice.roll_wide(0, 1'000'000);
        }
        expect_positions_behind(past, q_len);
    }
    for (const auto& [batch, q_len] : each_long<2>({1, 1})) {
        expect_positions_behind(Lengths(batch, 3), q_len);
    }
}

GRADED_TEST(CallPositions, KeepTheShapeOfAnEmptyCall, "2.2", strong_hire, 1) {
    EXPECT_CLOSE(call_positions({3, 4}, 0), Positions({2, 0}));
    EXPECT_CLOSE(call_positions({}, 5), Positions({0, 5}));
}

}  // namespace
}  // namespace workbook::grading
