// The cost model's figures, as the pages and READMEs state them.
#include "reference/cost_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "part1_mha/attention.hpp"
#include "reference/concat_cache.hpp"
#include "reference/cost_report.hpp"

namespace workbook::reference {
namespace {

constexpr Count kib = 1024;
constexpr Count mib = 1024 * kib;
constexpr Count gib = 1024 * mib;

constexpr ModelShape llama_8b{32, 4096, 32, 8, 128, 2};
constexpr ModelShape llama_70b{80, 8192, 64, 8, 128, 2};
constexpr ModelShape published_8b{32, 4096, 32, 8, 128, 2, 0, 0, 8'030'261'248, 128'256 * 4096};

TEST(CostModel, GivesTheBytesPerTokenOfLlama) {
    EXPECT_EQ(kv_bytes_per_token(llama_8b), 131'072U);
    EXPECT_EQ(kv_bytes_per_token(llama_70b), 320 * kib);
}

TEST(CostModel, GivesTheCacheOf4096Tokens) {
    EXPECT_EQ(cache_bytes(llama_8b, 4096), 512 * mib);
    EXPECT_EQ(expanded_bytes(llama_8b, 4096), 2 * gib);
}

TEST(CostModel, GivesWhatABatchReserves) {
    EXPECT_EQ(reserved_bytes(llama_8b, 32, 8192), 32 * gib);
}

TEST(CostModel, GivesTheCostOfGrowingByConcatenation) {
    EXPECT_EQ(tokens_copied_by_concatenation(4096), 8'386'560U);
    const Count bytes = bytes_copied_by_concatenation(llama_8b, 4096);
    EXPECT_EQ(bytes, Count{8'386'560} * 131'072);
    EXPECT_NEAR(static_cast<double>(bytes), 1.10e12, 0.005e12);
    EXPECT_NEAR(static_cast<double>(bytes) / static_cast<double>(1024 * gib), 1.0, 0.0005);
    EXPECT_NEAR(seconds_at_bandwidth(2.0 * static_cast<double>(bytes), 3.35e12), 0.66, 0.005);  // read and written
}

TEST(CostModel, GivesTheSmallExample) {
    EXPECT_EQ(cache_bytes({1, 64, 8, 2, 8, 2}, 16), 1024U);
    EXPECT_EQ(expanded_bytes({1, 64, 8, 2, 8, 2}, 16), 4096U);
}

TEST(CostModel, CountsTheBytesThatConcatenationReallyCopies) {
    // One layer, two key/value heads of width 4, grown to 9 tokens with the textbook step.
    const ModelShape model{1, 24, 6, 2, 4, sizeof(Scalar)};
    const Tensor<4> token = xt::ones<Scalar>({1, 2, 1, 4});
    std::optional<CompactPair> cache;
    Count copied = 0;
    for (int step = 0; step < 9; ++step) {
        ConcatStep result = concat_and_expand(cache, token, token, 6);
        copied += result.bytes_copied;
        cache = std::move(result.compact);
    }
    EXPECT_EQ(copied, bytes_copied_by_concatenation(model, 9));
    EXPECT_EQ(cache->elements() * sizeof(Scalar), cache_bytes(model, 9));
}

TEST(CostModel, CountsVisiblePairsOnly) {
    const ModelShape one_head{1, 3, 1, 1, 3, 8};
    // Two new tokens on top of 5 see 6 and 7 keys; each pair is d = 3 multiply-adds for the score and 3 for mixing.
    EXPECT_EQ(attention_flops(one_head, 1, 2, 5), 2U * (6 + 7) * 2 * 3);
    EXPECT_EQ(prefill_flops(one_head, 1, 2), 2U * (2 * 4 * 9) + 2U * (1 + 2) * 2 * 3);
    EXPECT_EQ(decode_flops(one_head, 1, 4), 2U * (4 * 9) + 2U * 5 * 2 * 3);
}

TEST(CostModel, TakesTheHeadWidthAsANumberOfItsOwn) {
    const ModelShape gemma_9b{42, 3584, 16, 8, 256, 2};  // H·d is 4,096, not D
    EXPECT_EQ(projection_flops(gemma_9b, 1), 2U * 3584 * (2 * 4096 + 2 * 2048));
    EXPECT_EQ(kv_bytes_per_token(gemma_9b), 2U * 42 * 8 * 256 * 2);
}

TEST(CostModel, GivesOneOperationPerByteForEachHeadOfAGroup) {
    EXPECT_DOUBLE_EQ(decode_flops_per_cache_byte(llama_8b), 4);
    EXPECT_DOUBLE_EQ(decode_flops_per_cache_byte(llama_70b), 8);
}

TEST(CostModel, RefusesABandwidthOfZero) {
    EXPECT_THROW((void)seconds_at_bandwidth(1, 0), std::invalid_argument);
}

TEST(CostModel, GivesTheWeightsAndTheBytesOfADecodeStep) {
    EXPECT_EQ(weight_bytes(published_8b), 16'060'522'496U);
    // Every weight but the embedding table, of which a token reads one row, and the cache of every row.
    EXPECT_EQ(call_bytes(published_8b, 32, 8192), 2 * (8'030'261'248U - 128'256U * 4096U) + 32 * gib);
    EXPECT_EQ(model_flops(published_8b, 1, 1, 0), 2 * (8'030'261'248U - 128'256U * 4096U) + 2U * 2 * 32 * 4096);
}

TEST(CostModel, GivesTheRowsThatFit) {
    EXPECT_EQ(largest_batch(published_8b, 8192, 80 * gib), 65U);
    EXPECT_EQ(largest_batch(published_8b, 8192, 16'060'522'496U), 0U);
    EXPECT_EQ(largest_batch(published_8b, 8192, 16'060'522'496U + gib), 1U);
    EXPECT_THROW((void)largest_batch(published_8b, 0, gib), std::invalid_argument);
}

TEST(CostModel, KeepsNoMoreThanTheWindowInAWindowedLayer) {
    const ModelShape gemma_9b{42, 3584, 16, 8, 256, 2, 21, 4096};
    const Count of_one_layer = 2 * 8 * 256 * 2;
    EXPECT_EQ(cache_bytes(gemma_9b, 4096), 42 * 4096 * of_one_layer);
    EXPECT_EQ(cache_bytes(gemma_9b, 8192), 21 * (8192 + 4096) * of_one_layer);
    EXPECT_EQ(reserved_bytes(gemma_9b, 3, 8192), 3 * cache_bytes(gemma_9b, 8192));
    EXPECT_EQ(expanded_bytes(gemma_9b, 8192), 2 * cache_bytes(gemma_9b, 8192));
    const ModelShape mistral_7b{32, 4096, 32, 8, 128, 2, 32, 4096};
    EXPECT_EQ(cache_bytes(mistral_7b, 32'768), 512 * mib);
}

TEST(CostModel, CountsThePairsInsideAWindowOnly) {
    const ModelShape one_head{1, 1, 1, 1, 1, 1, 1, 5};
    for (Count past = 0; past < 12; ++past) {
        for (Count q_len = 0; q_len < 12; ++q_len) {
            Count pairs = 0;
            for (Count t = 0; t < q_len; ++t) {
                pairs += std::min<Count>(past + t + 1, 5);
            }
            EXPECT_EQ(all_attention_flops(one_head, 1, q_len, past), 4 * pairs) << past << ", " << q_len;
        }
    }
}

TEST(CostModel, ChangesTheProjectionsWithTheHeads) {
    const ModelShape multi_head = with_kv_heads(published_8b, 32);
    EXPECT_EQ(multi_head.parameters - published_8b.parameters, 2U * 32 * 4096 * 24 * 128);
    EXPECT_EQ(with_kv_heads(multi_head, 8).parameters, published_8b.parameters);
    EXPECT_EQ(kv_bytes_per_token(with_kv_heads(published_8b, 1)), 16 * kib);
}

TEST(CostModel, RefusesCountsBeyond64Bits) {
    EXPECT_THROW((void)reserved_bytes(llama_8b, Count{1} << 30, Count{1} << 20), std::overflow_error);
    EXPECT_EQ(reserved_bytes(llama_8b, 0, Count{1} << 46), 0U);
}

std::string complaint_about(const ModelShape& model) {
    try {
        expect_model(model);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(CostModel, NamesWhatIsWrongWithAModel) {
    EXPECT_EQ(complaint_about(llama_8b), "none");
    EXPECT_EQ(complaint_about({32, 4096, 32, 5, 128, 2}), "n_kv_heads must divide n_heads, 32, got 5");
    EXPECT_EQ(complaint_about({32, 4096, 32, 0, 128, 2}), "n_kv_heads must be at least 1, got 0");
    EXPECT_EQ(complaint_about({32, 4096, 32, 8, 128, 2, 33, 1}),
              "windowed_layers must be at most n_layers, 32, got 33");
    EXPECT_EQ(complaint_about({32, 4096, 32, 8, 128, 2, 1, 0}), "window must be at least 1, got 0");
}

TEST(CostReport, FindsDecodeBoundByMemoryAndPrefillByArithmetic) {
    const CostReport report = cost_report(published_8b, {32, 8192, 0}, {3.35e12, 989e12, 80 * gib});
    EXPECT_EQ(report.reserved_bytes, 32 * gib);
    EXPECT_EQ(report.expanded_bytes, 128 * gib);
    EXPECT_TRUE(report.decode.bound_by_memory());
    EXPECT_FALSE(report.prefill.bound_by_memory());
    EXPECT_DOUBLE_EQ(report.decode.seconds(), static_cast<double>(report.decode.bytes) / 3.35e12);
    EXPECT_DOUBLE_EQ(report.prefill.seconds(), static_cast<double>(report.prefill.flops) / 989e12);
}

TEST(CostReport, CountsWhatGenerationCosts) {
    const CostReport report = cost_report(llama_8b, {1, 0, 4096}, {3.35e12, 989e12, 80 * gib});
    EXPECT_EQ(report.copied_by_concatenation, Count{8'386'560} * 131'072);
    EXPECT_EQ(report.projected_with_cache, 4096U);
    EXPECT_EQ(report.projected_without_cache, 4096U * 4097 / 2);
    EXPECT_EQ(report.prefill.flops, 0U);
    EXPECT_EQ(cost_report(llama_8b, {2, 10, 2}, {1, 1, 0}).projected_without_cache, 2U * (11 + 12));
}

TEST(CostReport, RefusesNothingToDoAndNothingToDoItOn) {
    EXPECT_THROW((void)cost_report(llama_8b, {0, 1, 0}, {1, 1, 1}), std::invalid_argument);
    EXPECT_THROW((void)cost_report(llama_8b, {1, 0, 0}, {1, 1, 1}), std::invalid_argument);
    EXPECT_THROW((void)cost_report(llama_8b, {1, 1, 0}, {1, 0, 1}), std::invalid_argument);
}

TEST(CostModel, AgreesWithTheWorkedCostStepsForAnyExtents) {
    std::mt19937 generator(7);
    const auto any = [&](Count high) { return std::uniform_int_distribution<Count>(1, high)(generator); };
    for (int trial = 0; trial < 200; ++trial) {
        const Count n_kv_heads = any(8);
        const Count n_heads = n_kv_heads * any(8);
        const Count head_dim = any(128);
        const ModelShape model{any(80), n_heads * head_dim, n_heads, n_kv_heads, head_dim, any(8)};
        const Count batch = any(16);
        const Count q_len = any(512);
        EXPECT_EQ(costs::cache_bytes_per_token(model.n_layers, n_kv_heads, head_dim, model.bytes_per_element),
                  kv_bytes_per_token(model));
        EXPECT_EQ(costs::expanded_cache_bytes(q_len, model.n_layers, n_heads, head_dim, model.bytes_per_element),
                  expanded_bytes(model, q_len));
        EXPECT_EQ(costs::tokens_copied_by_concatenation(q_len), tokens_copied_by_concatenation(q_len));
        EXPECT_EQ(2 * costs::grouped_projection_multiply_adds(batch, q_len, model.d_model, n_kv_heads, head_dim),
                  projection_flops(model, batch * q_len));
        EXPECT_DOUBLE_EQ(costs::decode_flops_per_cache_byte(n_heads, n_kv_heads, model.bytes_per_element),
                         decode_flops_per_cache_byte(model));
    }
}

}  // namespace
}  // namespace workbook::reference
