// Step 3.4: what grouped heads save.
#include "attention.hpp"
#include "graded.hpp"

namespace workbook::grading {
namespace {

GRADED_TEST(GroupedCosts, CountTheProjections, "3.4", strong_hire, 3) {
    EXPECT_EQ(costs::grouped_projection_multiply_adds(1, 1, 4'096, 8, 128), 41'943'040U);
    EXPECT_EQ(costs::grouped_projection_multiply_adds(32, 4'096, 4'096, 8, 128), 5'497'558'138'880U);
    EXPECT_EQ(costs::grouped_projection_multiply_adds(2, 5, 12, 3, 2), 2U * 2 * 5 * 12 * 18);
    EXPECT_EQ(costs::grouped_projection_multiply_adds(3, 7, 12, 6, 2), 4U * 3 * 7 * 144);  // multi-head attention
}

GRADED_TEST(GroupedCosts, GiveTheBytesOfAnExpandedCache, "3.4", strong_hire, 2) {
    EXPECT_EQ(costs::expanded_cache_bytes(4'096, 32, 32, 128, 2), 2'147'483'648U);  // Llama 3.1 8B: 2 GiB
    EXPECT_EQ(costs::expanded_cache_bytes(16, 1, 8, 8, 2), 4'096U);
}

GRADED_TEST(GroupedCosts, GiveTheIntensityOfDecode, "3.4", strong_hire, 3) {
    EXPECT_DOUBLE_EQ(costs::decode_flops_per_cache_byte(32, 8, 2), 4);   // G with 2-byte elements
    EXPECT_DOUBLE_EQ(costs::decode_flops_per_cache_byte(32, 32, 2), 1);  // multi-head attention
    EXPECT_DOUBLE_EQ(costs::decode_flops_per_cache_byte(8, 1, 4), 4);    // multi-query attention
    EXPECT_DOUBLE_EQ(costs::decode_flops_per_cache_byte(6, 2, 4), 1.5);
}

}  // namespace
}  // namespace workbook::grading
