// Part 1 without a mask: for each query only the keys that it sees are compared at all, as products of small matrices.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace workbook {

namespace {

// Softmax in place as exp(score - largest - log of the sum); leaves nothing but zeros where nothing is seen.
void softmax(Scalar* begin, Scalar* end) {
    const Scalar largest = std::accumulate(begin, end, -std::numeric_limits<Scalar>::infinity(),
                                           [](Scalar a, Scalar b) { return a < b ? b : a; });
    if (std::isinf(largest)) {
        std::fill(begin, end, Scalar{0});
        return;
    }
    const Scalar total = std::accumulate(
        begin, end, Scalar{0}, [largest](Scalar sum, Scalar score) { return sum + std::exp(score - largest); });
    const Scalar log_total = std::log(total);
    std::for_each(begin, end, [=](Scalar& score) { score = std::exp((score - largest) - log_total); });
}

}  // namespace

// Step 1.1: split and merge heads

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    Tensor<4> per_token({x.shape(0), x.shape(1), heads, x.shape(2) / heads});  // [B, T, heads, d]
    std::copy(x.begin(), x.end(), per_token.begin());
    Tensor<4> split = xt::transpose(per_token, {0, 2, 1, 3});  // [B, heads, T, d]
    return split;
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    const std::size_t head_dim = x.shape(3);
    Tensor<3> merged({x.shape(0), x.shape(2), x.shape(1) * head_dim});
    for (std::size_t h = 0; h < x.shape(1); ++h) {
        auto columns = xt::view(merged, xt::all(), xt::all(), xt::range(h * head_dim, h * head_dim + head_dim));
        columns = xt::view(x, xt::all(), h, xt::all(), xt::all());  // [B, T, d]
    }
    return merged;
}

// Step 1.2: softmax over each row

Matrix softmax_rows(const Matrix& scores) {
    auto weights = scores;  // [R, S]
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        Scalar* row = weights.data() + r * scores.shape(1);
        softmax(row, row + scores.shape(1));
    }
    return weights;
}

// Step 1.3: one head

namespace {

// How many of kv_len keys a query at this position sees; none at sees_nothing.
std::size_t visible_count(Position position, std::size_t kv_len) {
    return position < 0 ? 0 : std::min(static_cast<std::size_t>(position) + 1, kv_len);
}

}  // namespace

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_shape("attend_head", "k", k.shape(), {any_extent, q.shape(1)});
    expect_shape("attend_head", "v", v.shape(), {k.shape(0), q.shape(1)});
    expect_count("attend_head", "positions", positions.size(), q.shape(0));
    const std::size_t head_dim = q.shape(1);
    Matrix out = xt::zeros<Scalar>({q.shape(0), head_dim});  // [R, d]
    for (std::size_t r = 0; r < q.shape(0); ++r) {
        const std::size_t visible = visible_count(positions[r], k.shape(0));
        if (visible == 0) {
            continue;
        }
        const ConstMatrix query = view_matrix(q.data() + r * head_dim, 1, head_dim);         // [1, d]
        Matrix scores = matmul_transposed(query, view_matrix(k.data(), visible, head_dim));  // [1, visible]
        scores *= Scalar{1} / std::sqrt(static_cast<Scalar>(head_dim));
        softmax(scores.data(), scores.data() + visible);
        const Matrix mixed = matmul(scores, view_matrix(v.data(), visible, head_dim));  // [1, d]
        std::copy(mixed.begin(), mixed.end(), out.begin() + static_cast<std::ptrdiff_t>(r * head_dim));
    }
    return out;
}

// Step 1.4: all heads, from the last to the first

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    auto out = Tensor<4>::from_shape({q.shape(0), q.shape(1), q.shape(2), q.shape(3)});  // [B, H, T, d]
    for (std::size_t h = q.shape(1); h-- > 0;) {
        for (std::size_t b = q.shape(0); b-- > 0;) {
            const Matrix head = xt::view(q, b, h);  // [T, d]
            const auto row_positions = positions_of_row(positions, b);
            xt::view(out, b, h) = attend_head(view_matrix(head), kv.keys(b, h), kv.values(b, h), row_positions);
        }
    }
    return out;
}

// Step 1.5: the layer

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
    Projected projected;
    projected.v = split_heads(linear(x, weights_.wv), config_.n_kv_heads);
    projected.k = rotate(split_heads(linear(x, weights_.wk), config_.n_kv_heads), positions);
    projected.q = rotate(split_heads(linear(x, weights_.wq), config_.n_heads), positions);
    return projected;
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    Positions positions({x.shape(0), x.shape(1)});
    for (Position t = 0; std::cmp_less(t, x.shape(1)); ++t) {
        xt::view(positions, xt::all(), t) = t;
    }
    const Projected projected = project(x, positions);
    const KeyValues kv(projected.k, projected.v);
    const Tensor<4> mixed = attend(projected.q, kv, positions);  // [B, H, T, d]
    return linear(merge_heads(mixed), weights_.wo);
}

// Step 1.6: what it costs, as what one token costs times the tokens

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    Count per_token = 0;
    for (const Count width : {d_model, d_model, d_model, d_model}) {  // wq, wk, wv, wo
        per_token += d_model * width;
    }
    return per_token * batch * q_len;
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    const Count per_query = q_len * d_model + q_len * d_model;  // q·kᵀ, then weights·v
    return per_query * q_len * batch;
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    const Count per_head = q_len * q_len;
    const Count per_row = per_head * n_heads;
    return per_row * batch;
}

}  // namespace costs

}  // namespace workbook
