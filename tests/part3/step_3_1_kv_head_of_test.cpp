// Step 3.1: kv_head_of.
#include "attention.hpp"
#include "graded.hpp"

namespace workbook::grading {
namespace {

std::vector<std::size_t> heads_read(std::size_t n_heads, std::size_t n_kv_heads) {
    std::vector<std::size_t> read(n_heads);
    for (std::size_t h = 0; h < n_heads; ++h) {
        read[h] = kv_head_of(h, n_heads, n_kv_heads);
    }
    return read;
}

using Heads = std::vector<std::size_t>;

GRADED_TEST(KvHeadOf, LetsNeighboursShareAHead, "3.1", hire, 5) {
    EXPECT_EQ(heads_read(6, 3), (Heads{0, 0, 1, 1, 2, 2}));
    EXPECT_EQ(heads_read(8, 2), (Heads{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(heads_read(6, 2), (Heads{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(kv_head_of(31, 32, 8), 7U);
    EXPECT_EQ(kv_head_of(40, 64, 8), 5U);
}

GRADED_TEST(KvHeadOf, GivesEveryHeadItsOwnInMultiHeadAttention, "3.1", hire, 2) {
    EXPECT_EQ(heads_read(5, 5), (Heads{0, 1, 2, 3, 4}));
}

GRADED_TEST(KvHeadOf, GivesAllHeadsTheSameInMultiQueryAttention, "3.1", hire, 2) {
    EXPECT_EQ(heads_read(5, 1), (Heads{0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace workbook::grading
