// Step 1.6: what multi-head attention costs.
#include "attention.hpp"
#include "graded.hpp"

namespace workbook::grading {
namespace {

GRADED_TEST(Costs, CountTheProjections, "1.6", strong_hire, 2) {
    EXPECT_EQ(costs::projection_multiply_adds(1, 1, 64), 16'384U);
    EXPECT_EQ(costs::projection_multiply_adds(2, 5, 6), 4U * 2 * 5 * 36);
    EXPECT_EQ(costs::projection_multiply_adds(32, 4'096, 4'096), 8'796'093'022'208U);
    EXPECT_EQ(costs::projection_multiply_adds(3, 0, 64), 0U);
}

GRADED_TEST(Costs, CountScoresAndMixing, "1.6", strong_hire, 2) {
    EXPECT_EQ(costs::attention_multiply_adds(1, 1, 64), 128U);
    EXPECT_EQ(costs::attention_multiply_adds(2, 5, 6), 2U * 2 * 25 * 6);
    EXPECT_EQ(costs::attention_multiply_adds(32, 4'096, 4'096), 4'398'046'511'104U);
}

GRADED_TEST(Costs, CountTheElementsOfTheScores, "1.6", strong_hire, 2) {
    EXPECT_EQ(costs::score_elements(1, 32, 4'096), 536'870'912U);
    EXPECT_EQ(costs::score_elements(2, 3, 5), 150U);
    EXPECT_EQ(costs::score_elements(2, 3, 0), 0U);
}

}  // namespace
}  // namespace workbook::grading
