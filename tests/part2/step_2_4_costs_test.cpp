// Step 2.4: what a cache costs and saves.
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/cost_mistakes.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"

namespace workbook::grading {
namespace {

using costs::Count;
using mistakes::Decisions;

// What the three functions give with a mistake, for the same arguments.
auto bytes(Count n_layers, Count n_kv_heads, Count head_dim, Count bytes_per_element) {
    return [=](const Decisions& decisions) {
        return mistakes::cache_bytes_per_token({.n_kv_heads = n_kv_heads,
                                                .head_dim = head_dim,
                                                .n_layers = n_layers,
                                                .bytes_per_element = bytes_per_element},
                                               decisions);
    };
}

auto copied(Count steps) {
    return [=](const Decisions& decisions) {
        return mistakes::tokens_copied_by_concatenation({.steps = steps}, decisions);
    };
}

auto projected(Count steps) {
    return [=](const Decisions& decisions) {
        return mistakes::tokens_projected_without_cache({.steps = steps}, decisions);
    };
}

GRADED_TEST(CacheCosts, GiveTheBytesOfOneToken, "2.4", strong_hire, 3) {
    EXPECT_NUMBER(costs::cache_bytes_per_token(32, 8, 128, 2), 131'072, bytes(32, 8, 128, 2));  // Llama 3.1 8B
    EXPECT_NUMBER(costs::cache_bytes_per_token(80, 8, 128, 2), 327'680, bytes(80, 8, 128, 2));  // Llama 3.1 70B
    EXPECT_NUMBER(costs::cache_bytes_per_token(1, 2, 8, 2), 64, bytes(1, 2, 8, 2));
    EXPECT_NUMBER(costs::cache_bytes_per_token(3, 5, 7, 4), 840, bytes(3, 5, 7, 4));
    EXPECT_NUMBER(costs::cache_bytes_per_token(100'000, 8, 8'192, 4), 52'428'800'000, bytes(100'000, 8, 8'192, 4));
    for (const auto& [n_layers, n_kv_heads, head_dim, width] : random_numbers<4>(2401)) {
        EXPECT_NUMBER(costs::cache_bytes_per_token(n_layers, n_kv_heads, head_dim, width),
                      2 * n_layers * n_kv_heads * head_dim * width, bytes(n_layers, n_kv_heads, head_dim, width));
    }
}

GRADED_TEST(CacheCosts, CountTheTokensThatConcatenationCopies, "2.4", strong_hire, 3) {
    EXPECT_NUMBER(costs::tokens_copied_by_concatenation(0), 0, copied(0));
    EXPECT_NUMBER(costs::tokens_copied_by_concatenation(1), 0, copied(1));
    EXPECT_NUMBER(costs::tokens_copied_by_concatenation(2), 1, copied(2));
    EXPECT_NUMBER(costs::tokens_copied_by_concatenation(4'096), 8'386'560, copied(4'096));
    EXPECT_NUMBER(costs::tokens_copied_by_concatenation(200'000), 19'999'900'000, copied(200'000));
}

GRADED_TEST(CacheCosts, CountTheTokensProjectedWithoutACache, "2.4", strong_hire, 2) {
    EXPECT_NUMBER(costs::tokens_projected_without_cache(0), 0, projected(0));
    EXPECT_NUMBER(costs::tokens_projected_without_cache(1), 1, projected(1));
    EXPECT_NUMBER(costs::tokens_projected_without_cache(3), 6, projected(3));
    EXPECT_NUMBER(costs::tokens_projected_without_cache(4'096), 8'390'656, projected(4'096));
    EXPECT_NUMBER(costs::tokens_projected_without_cache(200'000), 20'000'100'000, projected(200'000));
}

}  // namespace
}  // namespace workbook::grading
