// Part 1 in whole-matrix expressions: the mask is a matrix of 0 and -infinity that is added to the scores, and one
// product with all three weights side by side projects queries, keys and values.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace workbook {

// Step 1.1: split and merge heads

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    Tensor<4> split({x.shape(0), heads, x.shape(1), x.shape(2) / heads});  // [B, heads, T, d]
    for (std::size_t h = 0; h < heads; ++h) {
        auto columns = xt::range(h * split.shape(3), (h + 1) * split.shape(3));
        xt::view(split, xt::all(), h) = xt::view(x, xt::all(), xt::all(), columns);  // [B, T, d]
    }
    return split;
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    const Tensor<4> tokens_first = xt::transpose(x, {0, 2, 1, 3});  // [B, T, heads, d]
    Tensor<3> merged({x.shape(0), x.shape(2), x.shape(1) * x.shape(3)});
    std::copy(tokens_first.begin(), tokens_first.end(), merged.begin());
    return merged;
}

// Step 1.2: softmax over each row

Matrix softmax_rows(const Matrix& scores) {
    if (scores.size() == 0) {
        return scores;
    }
    const Tensor<1> largest = xt::amax(scores, {1});                                                       // [R]
    const Tensor<1> shift = xt::where(xt::isinf(largest), Scalar{0}, largest);                             // [R]
    const Matrix exponentials = xt::exp(scores - xt::view(shift, xt::all(), xt::newaxis()));               // [R, S]
    const Matrix totals = xt::sum(exponentials, {1}, xt::keep_dims | xt::evaluation_strategy::immediate);  // [R, 1]
    const Matrix divisors = xt::maximum(totals, std::numeric_limits<Scalar>::min());  // a row of zeros stays so
    return exponentials / divisors;
}

// Step 1.3: one head

namespace {

// 0 where query r sees key j, -infinity elsewhere: [R, S].
Matrix additive_mask(std::span<const Position> positions, std::size_t kv_len) {
    const Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();
    xt::xtensor<Position, 2> query_positions({positions.size(), 1});  // [R, 1]
    std::copy(positions.begin(), positions.end(), query_positions.begin());
    const xt::xtensor<Position, 1> keys = xt::arange<Position>(static_cast<Position>(kv_len));  // [S]
    const xt::xtensor<bool, 2> visible = keys <= query_positions;                               // [R, S]
    return xt::where(visible, Scalar{0}, minus_infinity);
}

}  // namespace

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_shape("attend_head", "k", k.shape(), {any_extent, q.shape(1)});
    expect_shape("attend_head", "v", v.shape(), {k.shape(0), q.shape(1)});
    expect_count("attend_head", "positions", positions.size(), q.shape(0));
    const Scalar scale = std::pow(static_cast<Scalar>(q.shape(1)), Scalar{-0.5});
    const Matrix scaled_q = q * scale;                         // [R, d]
    const Matrix raw = matmul_transposed(scaled_q, k);         // [R, S]
    const Matrix mask = additive_mask(positions, k.shape(0));  // [R, S]
    // A query that sees nothing may hold NaN, which -infinity does not hide.
    const Matrix scores = xt::where(xt::isinf(mask), mask, raw + mask);  // [R, S]
    const Matrix weights = softmax_rows(scores);                         // [R, S]
    return matmul(weights, v);                                           // [R, d]
}

// Step 1.4: all heads

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    Tensor<4> out = xt::zeros<Scalar>(q.shape());  // [B, H, T, d]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        const auto row_positions = positions_of_row(positions, b);  // [T]
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            xt::view(out, b, h, xt::all(), xt::all()) =
                attend_head(view_heads(q, b, h), kv.keys(b, h), kv.values(b, h), row_positions);
        }
    }
    return out;
}

// Step 1.5: the layer

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
    const Matrix wqkv = xt::concatenate(xt::xtuple(weights_.wq, weights_.wk, weights_.wv), 1);  // [D, D + 2·Hkv·d]
    const Tensor<3> qkv = linear(x, wqkv);                                                      // [B, T, D + 2·Hkv·d]
    const std::size_t k_begin = config_.d_model;
    const std::size_t v_begin = k_begin + weights_.wk.shape(1);
    const Tensor<3> q = xt::view(qkv, xt::all(), xt::all(), xt::range(std::size_t{0}, k_begin));
    const Tensor<3> k = xt::view(qkv, xt::all(), xt::all(), xt::range(k_begin, v_begin));
    const Tensor<3> v = xt::view(qkv, xt::all(), xt::all(), xt::range(v_begin, qkv.shape(2)));
    return {rotate(split_heads(q, config_.n_heads), positions), rotate(split_heads(k, config_.n_kv_heads), positions),
            split_heads(v, config_.n_kv_heads)};
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    Positions positions = xt::zeros<Position>({x.shape(0), x.shape(1)});  // [B, T]
    positions += xt::arange<Position>(static_cast<Position>(x.shape(1)));
    const Projected projected = project(x, positions);
    const Tensor<4> mixed = attend(projected.q, {projected.k, projected.v}, positions);  // [B, H, T, d]
    const Tensor<3> merged = merge_heads(mixed);                                         // [B, T, D]
    return linear(merged, weights_.wo);
}

// Step 1.6: what it costs

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    const Count twice = 2 * d_model;
    return batch * q_len * twice * twice;  // (2·D)² = 4·D²
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    return d_model * batch * q_len * (q_len + q_len);
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    return (batch * q_len) * (n_heads * q_len);
}

}  // namespace costs

}  // namespace workbook
