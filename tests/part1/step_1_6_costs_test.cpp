// Step 1.6: what multi-head attention costs.
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
auto projections(Count batch, Count q_len, Count d_model) {
    return [=](const Decisions& decisions) {
        return mistakes::projection_multiply_adds({.batch = batch, .q_len = q_len, .d_model = d_model}, decisions);
    };
}

auto attention(Count batch, Count q_len, Count d_model) {
    return [=](const Decisions& decisions) {
        return mistakes::attention_multiply_adds({.batch = batch, .q_len = q_len, .d_model = d_model}, decisions);
    };
}

auto scores(Count batch, Count n_heads, Count q_len) {
    return [=](const Decisions& decisions) {
        return mistakes::score_elements({.batch = batch, .q_len = q_len, .n_heads = n_heads}, decisions);
    };
}

GRADED_TEST(Costs, CountTheProjections, "1.6", strong_hire, 2) {
    EXPECT_NUMBER(costs::projection_multiply_adds(1, 1, 64), 16'384, projections(1, 1, 64));
    EXPECT_NUMBER(costs::projection_multiply_adds(2, 5, 6), 1'440, projections(2, 5, 6));
    EXPECT_NUMBER(costs::projection_multiply_adds(32, 4'096, 4'096), 8'796'093'022'208, projections(32, 4'096, 4'096));
    EXPECT_NUMBER(costs::projection_multiply_adds(3, 1'000'003, 4'097), 201425512274724,
                  projections(3, 1'000'003, 4'097));
    EXPECT_NUMBER(costs::projection_multiply_adds(3, 0, 64), 0, projections(3, 0, 64));
    for (const auto& [batch, q_len, d_model] : random_numbers<3>(1601)) {
        EXPECT_NUMBER(costs::projection_multiply_adds(batch, q_len, d_model), 4 * batch * q_len * d_model * d_model,
                      projections(batch, q_len, d_model));
    }
}

GRADED_TEST(Costs, CountScoresAndMixing, "1.6", strong_hire, 2) {
    EXPECT_NUMBER(costs::attention_multiply_adds(1, 1, 64), 128, attention(1, 1, 64));
    EXPECT_NUMBER(costs::attention_multiply_adds(2, 5, 6), 600, attention(2, 5, 6));
    EXPECT_NUMBER(costs::attention_multiply_adds(32, 4'096, 4'096), 4'398'046'511'104, attention(32, 4'096, 4'096));
    for (const auto& [batch, q_len, d_model] : random_numbers<3>(1602)) {
        EXPECT_NUMBER(costs::attention_multiply_adds(batch, q_len, d_model), 2 * batch * q_len * q_len * d_model,
                      attention(batch, q_len, d_model));
    }
}

GRADED_TEST(Costs, CountTheElementsOfTheScores, "1.6", strong_hire, 2) {
    EXPECT_NUMBER(costs::score_elements(1, 32, 4'096), 536'870'912, scores(1, 32, 4'096));
    EXPECT_NUMBER(costs::score_elements(2, 3, 5), 150, scores(2, 3, 5));
    EXPECT_NUMBER(costs::score_elements(7, 33, 99'991), 2309584218711, scores(7, 33, 99'991));
    EXPECT_NUMBER(costs::score_elements(2, 3, 0), 0, scores(2, 3, 0));
    for (const auto& [batch, n_heads, q_len] : random_numbers<3>(1603)) {
        EXPECT_NUMBER(costs::score_elements(batch, n_heads, q_len), batch * n_heads * q_len * q_len,
                      scores(batch, n_heads, q_len));
    }
}

}  // namespace
}  // namespace workbook::grading
