/// @file
/// The direct oracle: attention as the obvious loops, in double, with no BLAS and no xtensor expressions. Tensors serve
/// as plain storage here. It repeats key/value heads to all query heads, which is slow and unmistakable.
#pragma once

#include <optional>

#include "part1_mha/attention.hpp"

/// What answers are compared with: direct loops, the concatenating cache and the cost model.
namespace workbook::reference {

/// A tensor of doubles, whatever Scalar is.
template <std::size_t N>
using Array = xt::xtensor<double, N, xt::layout_type::row_major>;

/// Copies a tensor into doubles.
template <std::size_t N>
[[nodiscard]] Array<N> to_double(const Tensor<N>& tensor) {
    Array<N> copy(tensor.shape());
    std::copy(tensor.begin(), tensor.end(), copy.begin());
    return copy;
}

/// Softmax over each row; zeros where every score is -infinity.
[[nodiscard]] Array<2> softmax_rows(const Array<2>& scores);

/// [B, T, heads·d] to [B, heads, T, d].
[[nodiscard]] Array<4> split_heads(const Array<3>& x, std::size_t heads);

/// [B, heads, T, d] to [B, T, heads·d].
[[nodiscard]] Array<3> merge_heads(const Array<4>& x);

/// Repeats each of the Hkv heads G times in a row: [B, Hkv, S, d] to [B, Hkv·G, S, d].
[[nodiscard]] Array<4> repeat_heads(const Array<4>& x, std::size_t group_size);

/// Causal attention of every row, head and query over keys 0 … positions(b, t).
/// @param q          [B, H, T, d]
/// @param k          [B, Hkv, S, d], Hkv divides H
/// @param v          [B, Hkv, S, d]
/// @param positions  [B, T]; keys from S on do not exist, whatever the position
/// @return           [B, H, T, d]
[[nodiscard]] Array<4> attend(const Array<4>& q, const Array<4>& k, const Array<4>& v, const Positions& positions);

/// Rotates adjacent pairs by position; without a base, rotates nothing.
[[nodiscard]] Array<4> rotate(Array<4> heads, const Positions& positions, std::optional<double> rope_base);

/// Queries, keys and values, [B, H or Hkv, T, d].
struct Heads {
    Array<4> q, k, v;
};

/// Projects, splits and rotates.
[[nodiscard]] Heads project(const AttentionConfig& config, const AttentionWeights& weights, const Array<3>& x,
                            const Positions& positions);

/// The layer over whole sequences, tokens at positions 0 … T-1: x [B, T, D] gives [B, T, D].
[[nodiscard]] Array<3> forward(const AttentionConfig& config, const AttentionWeights& weights, const Array<3>& x);

/// x · w for each token.
[[nodiscard]] Array<3> matmul(const Array<3>& x, const Matrix& w);

/// Positions 0 … q_len-1 in every row.
[[nodiscard]] Positions positions_from_zero(std::size_t batch, std::size_t q_len);

}  // namespace workbook::reference
