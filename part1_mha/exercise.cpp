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
    throw NotImplemented("1.1 split_heads");
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    throw NotImplemented("1.1 merge_heads");
}

// Step 1.2: softmax over each row
//
// scores [R, S] gives weights [R, S]. Scores may be in the thousands, and -infinity means "no weight for this key".
// A row of nothing but -infinity gives zeros. S may be 0. Before you write `scores - xt::amax(...)`, read the first
// trap in docs/numpy-to-xtensor.md.

Matrix softmax_rows(const Matrix& scores) {
    throw NotImplemented("1.2 softmax_rows");
}

// Step 1.3: one head
//
// q [R, d], k and v [S, d] give [R, d]. Row j of k and v belongs to absolute position j, query r sits at positions[r]
// and sees key j iff j <= positions[r]. A position of -1 (sees_nothing) gives a row of zeros. R and S may differ, and
// either may be 0. Positions are signed, so compare them with a signed j.

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_attend_head_fits(q, k, v, positions);
    throw NotImplemented("1.3 attend_head");
}

// Step 1.4: all heads
//
// q [B, H, T, d] and kv with H key/value heads give [B, H, T, d]: query head h of row b reads key/value head h of row
// b. kv.keys(b, h) and kv.values(b, h) are [S, d] views, view_heads(q, b, h) is a [T, d] view, and
// positions_of_row(positions, b) has the T positions of row b.

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_attend_heads_fits(q, kv, positions);
    throw NotImplemented("1.4 attend_heads");
}

// Step 1.5: the layer
//
// project turns x [B, T, D] into q [B, H, T, d], k and v [B, Hkv, T, d] with the weights wq, wk, wv of the layer, and
// sends q and k (not v) through rotate, which is given and does nothing unless the layer is configured for it. output
// attends with `attend` (given: it calls your attend_heads when Hkv = H, and part 3's attend_groups otherwise), merges
// the heads and applies wo. forward is both. Without a cache, the tokens of every row sit at positions 0 … T-1.

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_project_fits(config_, x, positions);
    throw NotImplemented("1.5 Attention::project");
}

Tensor<3> Attention::output(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) const {
    throw NotImplemented("1.5 Attention::output");
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_forward_fits(config_, x);
    throw NotImplemented("1.5 Attention::forward");
}

// Step 1.6: what it costs
//
// For x [B, T, D] with H heads of width d = D / H: multiply-adds of the four projections, multiply-adds of scores and
// mixing over all T × T pairs, and the elements of the scores when all heads are held at once. One line each.

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    throw NotImplemented("1.6 projection_multiply_adds");
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    throw NotImplemented("1.6 attention_multiply_adds");
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    throw NotImplemented("1.6 score_elements");
}

}  // namespace costs

}  // namespace workbook
