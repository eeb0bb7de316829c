// Step 2.4: what a cache costs and saves.
#include "graded.hpp"
#include "kv_cache.hpp"

namespace workbook::grading {
namespace {

GRADED_TEST(CacheCosts, GiveTheBytesOfOneToken, "2.4", strong_hire, 3) {
    EXPECT_EQ(costs::cache_bytes_per_token(32, 8, 128, 2), 131'072U);  // Llama 3.1 8B
    EXPECT_EQ(costs::cache_bytes_per_token(80, 8, 128, 2), 327'680U);  // Llama 3.1 70B
    EXPECT_EQ(costs::cache_bytes_per_token(1, 2, 8, 2), 64U);
    EXPECT_EQ(costs::cache_bytes_per_token(3, 5, 7, 4), 840U);
    EXPECT_EQ(costs::cache_bytes_per_token(100'000, 8, 8'192, 4), 52'428'800'000U);
}

GRADED_TEST(CacheCosts, CountTheTokensThatConcatenationCopies, "2.4", strong_hire, 3) {
    EXPECT_EQ(costs::tokens_copied_by_concatenation(0), 0U);
    EXPECT_EQ(costs::tokens_copied_by_concatenation(1), 0U);
    EXPECT_EQ(costs::tokens_copied_by_concatenation(2), 1U);
    EXPECT_EQ(costs::tokens_copied_by_concatenation(4'096), 8'386'560U);
    EXPECT_EQ(costs::tokens_copied_by_concatenation(200'000), 19'999'900'000U);
}

GRADED_TEST(CacheCosts, CountTheTokensProjectedWithoutACache, "2.4", strong_hire, 2) {
    EXPECT_EQ(costs::tokens_projected_without_cache(0), 0U);
    EXPECT_EQ(costs::tokens_projected_without_cache(1), 1U);
    EXPECT_EQ(costs::tokens_projected_without_cache(3), 6U);
    EXPECT_EQ(costs::tokens_projected_without_cache(4'096), 8'390'656U);
    EXPECT_EQ(costs::tokens_projected_without_cache(200'000), 20'000'100'000U);
}

}  // namespace
}  // namespace workbook::grading
