/// @file
/// Inputs of the graded tests: random but the same on every run.
#pragma once

#include <array>
#include <random>

#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

namespace workbook::grading {

/// Numbers of the standard normal distribution, times `scale`.
template <std::size_t N>
[[nodiscard]] Tensor<N> random_tensor(const std::array<std::size_t, N>& shape, unsigned seed, double scale = 1.0) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal(0.0, scale);
    Tensor<N> tensor(shape);
    for (Scalar& element : tensor) {
        element = static_cast<Scalar>(normal(generator));
    }
    return tensor;
}

/// Random weights for a layer, of a size that keeps scores around 1: no softmax is flat, none is one-hot.
[[nodiscard]] AttentionWeights random_weights(const AttentionConfig& config, unsigned seed);

/// A layer with random weights.
[[nodiscard]] Attention random_layer(const AttentionConfig& config, unsigned seed);

/// A configuration with heads of width head_dim.
[[nodiscard]] AttentionConfig heads_config(std::size_t n_heads, std::size_t n_kv_heads, std::size_t head_dim);

/// Tokens begin … end-1 of every row, [B, end - begin, D].
[[nodiscard]] Tensor<3> tokens(const Tensor<3>& x, std::size_t begin, std::size_t end);

/// A cache that fits the layer. Unwritten slots hold 50: a read beyond the live rows shows, but a correct full read
/// that masks them does not.
[[nodiscard]] KVCache poisoned_cache(const AttentionConfig& config, std::size_t batch, std::size_t max_len,
                                     Scalar poison = 50);

}  // namespace workbook::grading
