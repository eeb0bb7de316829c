// Part 1: causal multi-head attention, in six steps.
//
// exercise.cpp leaves the body of every step to you; solution.cpp is the same file with worked bodies. attention.hpp
// says what each function takes and returns, tensor.hpp what you may use: Tensor, Matrix, ConstMatrix, matmul, linear
// and the views. A first line expect_… is given: it refuses bad input. Helper functions of your own go into
// `namespace { … }`, so that they stay in this file. Stuck? hints.md has three hints per step.
#include "part1_mha/attention.hpp"
#include "part1_mha/guards.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace workbook {

// Step 1.1: split and merge heads
//
// A projection leaves the heads side by side: x [B, T, heads·d], head h in columns h·d … h·d+d-1 of every token.
// split_heads gives each head its tokens in one block, [B, heads, T, d]; merge_heads goes back. `heads` is H for
// queries and may be fewer for keys and values. T and B may be 0.

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    // [1.1 split_heads]
    const std::size_t head_dim = x.shape(2) / heads;
    const auto per_token = xt::reshape_view(x, {x.shape(0), x.shape(1), heads, head_dim});  // [B, T, heads, d]
    // A reshape alone would cut the data in the wrong places: the head axis has to move in front of the tokens.
    return xt::transpose(per_token, {0, 2, 1, 3});  // [B, heads, T, d]
    // [1.1 split_heads]
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    // [1.1 merge_heads]
    Tensor<4> per_token = xt::transpose(x, {0, 2, 1, 3});                                   // [B, T, heads, d]
    return xt::reshape_view(per_token, {x.shape(0), x.shape(2), x.shape(1) * x.shape(3)});  // [B, T, heads·d]
    // [1.1 merge_heads]
}

// Step 1.2: softmax over each row
//
// scores [R, S] gives weights [R, S]. Scores may be in the thousands, and -infinity means "no weight for this key".
// A row of nothing but -infinity gives zeros. S may be 0. Before you write `scores - xt::amax(...)`, read the first
// trap in docs/xtensor-traps.md.

Matrix softmax_rows(const Matrix& scores) {
    // [1.2 softmax_rows]
    // Every reduction is stored in a tensor of its own: used lazily inside a larger expression it gives wrong numbers.
    Tensor<1> highest = xt::amax(scores, {1});  // [R]
    // A row that sees nothing has the maximum -inf, and -inf - -inf is NaN; any finite shift gives exp(-inf) = 0.
    highest = xt::where(xt::isfinite(highest), highest, Scalar{0});

    Matrix weights = xt::exp(scores - as_column(highest));  // [R, S]
    Tensor<1> total = xt::sum(weights, {1});                // [R], 0 where nothing is seen
    total = xt::where(total > 0, total, Scalar{1});
    weights /= as_column(total);
    return weights;
    // [1.2 softmax_rows]
}

// Step 1.3: one head
//
// q [R, d], k and v [S, d] give [R, d]. Row j of k and v belongs to absolute position j, query r sits at positions[r]
// and sees key j iff j <= positions[r]. A position of -1 (sees_nothing) gives a row of zeros. R and S may differ, and
// either may be 0. Positions are signed, so compare them with a signed j.

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_attend_head_fits(q, k, v, positions);
    // [1.3 attend_head]
    // softmax(q·kᵀ / √d + mask) · v, where the mask is 0 for a visible key and -∞ for a hidden one.
    Matrix scores = matmul_transposed(q, k);  // [R, S]
    scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            // Absolute positions, not row numbers: the same line serves prefill, chunks, decode and padding.
            if (static_cast<Position>(j) > positions[r]) {
                scores(r, j) = -std::numeric_limits<Scalar>::infinity();
            }
        }
    }
    return matmul(softmax_rows(scores), v);  // [R, d]
    // [1.3 attend_head]
}

// Step 1.4: all heads
//
// q [B, H, T, d] and kv with H key/value heads give [B, H, T, d]: query head h of row b reads key/value head h of row
// b. kv.keys(b, h) and kv.values(b, h) are [S, d] views, view_heads(q, b, h) is a [T, d] view, and
// positions_of_row(positions, b) has the T positions of row b.

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_attend_heads_fits(q, kv, positions);
    // [1.4 attend_heads]
    Tensor<4> out(q.shape());  // [B, H, T, d]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            xt::view(out, b, h) = attend_head(view_heads(q, b, h), kv.keys(b, h), kv.values(b, h),
                                              positions_of_row(positions, b));  // [T, d]
        }
    }
    return out;
    // [1.4 attend_heads]
}

// Step 1.5: the layer
//
// project turns x [B, T, D] into q [B, H, T, d], k and v [B, Hkv, T, d] with the weights wq, wk, wv of the layer, and
// sends q and k (not v) through rotate, which is given and does nothing unless the layer is configured for it. output
// attends with `attend` (given: it calls your attend_heads when Hkv = H, and part 3's attend_groups otherwise), merges
// the heads and applies wo. forward is both. Without a cache, the tokens of every row sit at positions 0 … T-1.

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_project_fits(config_, x, positions);
    // [1.5 Attention::project]
    Tensor<4> q = split_heads(linear(x, weights_.wq), config_.n_heads);     // [B, H, T, d]
    Tensor<4> k = split_heads(linear(x, weights_.wk), config_.n_kv_heads);  // [B, Hkv, T, d]
    Tensor<4> v = split_heads(linear(x, weights_.wv), config_.n_kv_heads);  // [B, Hkv, T, d]
    return {rotate(std::move(q), positions), rotate(std::move(k), positions), std::move(v)};
    // [1.5 Attention::project]
}

Tensor<3> Attention::output(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) const {
    // [1.5 Attention::output]
    const Tensor<4> context = attend(q, kv, positions);  // [B, H, T, d]
    return linear(merge_heads(context), weights_.wo);    // [B, T, D]
    // [1.5 Attention::output]
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_forward_fits(config_, x);
    // [1.5 Attention::forward]
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    const Positions positions = xt::broadcast(xt::arange<Position>(static_cast<Position>(q_len)), {batch, q_len});

    const Projected projected = project(x, positions);
    const KeyValues kv(projected.k, projected.v);  // a view: `projected` has to stay alive
    return output(projected.q, kv, positions);
    // [1.5 Attention::forward]
}

// Step 1.6: what it costs
//
// For x [B, T, D] with H heads of width d = D / H: multiply-adds of the four projections, multiply-adds of scores and
// mixing over all T × T pairs, and the elements of the scores when all heads are held at once. One line each.

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    // [1.6 projection_multiply_adds]
    return 4 * batch * q_len * d_model * d_model;  // wq, wk, wv, wo: each token's row times a [D, D] matrix
    // [1.6 projection_multiply_adds]
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    // [1.6 attention_multiply_adds]
    return 2 * batch * q_len * q_len * d_model;  // q·kᵀ and weights·v: H heads of T·T·d each, and H·d = D
    // [1.6 attention_multiply_adds]
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    // [1.6 score_elements]
    return batch * n_heads * q_len * q_len;
    // [1.6 score_elements]
}

}  // namespace costs

}  // namespace workbook
