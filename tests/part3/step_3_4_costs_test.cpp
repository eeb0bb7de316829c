// Step 3.4: what grouped heads save.
#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/cost_mistakes.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"

namespace workbook::grading {
namespace {

using costs::Count;
using mistakes::Decisions;

// What the three functions give with a mistake, for the same arguments.
auto projections(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    return [=](const Decisions& decisions) {
        return mistakes::grouped_projection_multiply_adds(
            {.batch = batch, .q_len = q_len, .d_model = d_model, .n_kv_heads = n_kv_heads, .head_dim = head_dim},
            decisions);
    };
}

auto expanded(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    return [=](const Decisions& decisions) {
        return mistakes::expanded_cache_bytes({.n_heads = n_heads,
                                               .head_dim = head_dim,
                                               .n_layers = n_layers,
                                               .bytes_per_element = bytes_per_element,
                                               .tokens = tokens},
                                              decisions);
    };
}

auto intensity(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    return [=](const Decisions& decisions) {
        return mistakes::decode_flops_per_cache_byte(
            {.n_heads = n_heads, .n_kv_heads = n_kv_heads, .bytes_per_element = bytes_per_element}, decisions);
    };
}

GRADED_TEST(GroupedCosts, CountTheProjections, "3.4", strong_hire, 3) {
    EXPECT_NUMBER(costs::grouped_projection_multiply_adds(1, 1, 4'096, 8, 128), 41'943'040,
                  projections(1, 1, 4'096, 8, 128));
    EXPECT_NUMBER(costs::grouped_projection_multiply_adds(32, 4'096, 4'096, 8, 128), 5'497'558'138'880,
                  projections(32, 4'096, 4'096, 8, 128));
    EXPECT_NUMBER(costs::grouped_projection_multiply_adds(2, 5, 12, 3, 2), 4'320, projections(2, 5, 12, 3, 2));
    // Multi-head attention: 4 · 3 · 7 · 144.
    EXPECT_NUMBER(costs::grouped_projection_multiply_adds(3, 7, 12, 6, 2), 12'096, projections(3, 7, 12, 6, 2));
    for (const auto& [batch, q_len, d_model, n_kv_heads, head_dim] : random_numbers<5>(3401)) {
        EXPECT_EQ(costs::grouped_projection_multiply_adds(batch, q_len, d_model, n_kv_heads, head_dim),
                  2 * batch * q_len * d_model * (d_model + n_kv_heads * head_dim));  // no model's width is so odd
    }
}

GRADED_TEST(GroupedCosts, GiveTheBytesOfAnExpandedCache, "3.4", strong_hire, 2) {
    // Llama 3.1 8B: 2 GiB.
    EXPECT_NUMBER(costs::expanded_cache_bytes(4'096, 32, 32, 128, 2), 2'147'483'648, expanded(4'096, 32, 32, 128, 2));
    EXPECT_NUMBER(costs::expanded_cache_bytes(1'000'003, 33, 37, 129, 3), 945056835162,
                  expanded(1'000'003, 33, 37, 129, 3));
    EXPECT_NUMBER(costs::expanded_cache_bytes(16, 1, 8, 8, 2), 4'096, expanded(16, 1, 8, 8, 2));
    for (const auto& [tokens, n_layers, n_heads, head_dim, width] : random_numbers<5>(3402)) {
        EXPECT_NUMBER(costs::expanded_cache_bytes(tokens, n_layers, n_heads, head_dim, width),
                      2 * tokens * n_layers * n_heads * head_dim * width,
                      expanded(tokens, n_layers, n_heads, head_dim, width));
    }
}

GRADED_TEST(GroupedCosts, GiveTheIntensityOfDecode, "3.4", strong_hire, 3) {
    EXPECT_NUMBER(costs::decode_flops_per_cache_byte(32, 8, 2), 4, intensity(32, 8, 2));    // G with 2-byte elements
    EXPECT_NUMBER(costs::decode_flops_per_cache_byte(32, 32, 2), 1, intensity(32, 32, 2));  // multi-head attention
    EXPECT_NUMBER(costs::decode_flops_per_cache_byte(8, 1, 4), 4, intensity(8, 1, 4));      // multi-query attention
    EXPECT_NUMBER(costs::decode_flops_per_cache_byte(6, 2, 4), 1.5, intensity(6, 2, 4));
    for (const auto& [group_size, n_kv_heads, width] : random_numbers<3>(3403)) {
        const Count n_heads = group_size * n_kv_heads;
        EXPECT_NUMBER(costs::decode_flops_per_cache_byte(n_heads, n_kv_heads, width),
                      2 * static_cast<double>(group_size) / static_cast<double>(width),
                      intensity(n_heads, n_kv_heads, width));
    }
}

}  // namespace
}  // namespace workbook::grading
