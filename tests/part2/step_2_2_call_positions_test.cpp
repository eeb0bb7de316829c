// Step 2.2: call_positions.
#include "close.hpp"
#include "graded.hpp"
#include "kv_cache.hpp"

namespace workbook::grading {
namespace {

GRADED_TEST(CallPositions, StartAtZeroForAnEmptyCache, "2.2", hire, 2) {
    EXPECT_CLOSE(call_positions({0, 0}, 3), (Positions{{0, 1, 2}, {0, 1, 2}}));
}

GRADED_TEST(CallPositions, ContinueBehindWhatEachRowHolds, "2.2", hire, 4) {
    EXPECT_CLOSE(call_positions({4, 4}, 1), (Positions{{4}, {4}}));
    EXPECT_CLOSE(call_positions({3, 0, 7}, 2), (Positions{{3, 4}, {0, 1}, {7, 8}}));
    EXPECT_CLOSE(call_positions({100'000}, 2), (Positions{{100'000, 100'001}}));
}

GRADED_TEST(CallPositions, KeepTheShapeOfAnEmptyCall, "2.2", strong_hire, 1) {
    EXPECT_CLOSE(call_positions({3, 4}, 0), Positions({2, 0}));
    EXPECT_CLOSE(call_positions({}, 5), Positions({0, 5}));
}

}  // namespace
}  // namespace workbook::grading
