// Part 1 with a thread for every batch row: the rows have nothing to do with one another, and each writes to its own
// part of the result.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <utility>
#include <vector>

namespace workbook {

namespace {

// All heads of one batch row; `out` points to the row's H·T·d elements of the result.
void attend_row(const Tensor<4>& q, const KeyValues& kv, std::size_t b, std::span<const Position> positions,
                Scalar* out) {
    for (std::size_t h = 0; h < q.shape(1); ++h) {
        const Matrix mixed = attend_head(view_heads(q, b, h), kv.keys(b, h), kv.values(b, h), positions);  // [T, d]
        out = std::copy(mixed.begin(), mixed.end(), out);
    }
}

}  // namespace

// Step 1.1: split and merge heads

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    const std::size_t head_dim = x.shape(2) / heads;
    Tensor<4> split({x.shape(0), heads, x.shape(1), head_dim});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t t = 0; t < x.shape(1); ++t) {
            for (std::size_t h = 0; h < heads; ++h) {
                std::copy_n(&x(b, t, h * head_dim), head_dim, &split(b, h, t, 0));
            }
        }
    }
    return split;
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    const std::size_t head_dim = x.shape(3);
    Tensor<3> merged({x.shape(0), x.shape(2), x.shape(1) * head_dim});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t t = 0; t < x.shape(2); ++t) {
            for (std::size_t h = 0; h < x.shape(1); ++h) {
                std::copy_n(&x(b, h, t, 0), head_dim, &merged(b, t, h * head_dim));
            }
        }
    }
    return merged;
}

// Step 1.2: softmax over each row

Matrix softmax_rows(const Matrix& scores) {
    Matrix weights = xt::zeros<Scalar>(scores.shape());  // [R, S]
    for (std::size_t r = 0; r < scores.shape(0) && scores.shape(1) > 0; ++r) {
        const auto row = xt::row(scores, static_cast<std::ptrdiff_t>(r));
        const Scalar largest = *std::max_element(row.begin(), row.end());
        if (!std::isinf(largest)) {  // a row that sees nothing stays zero
            const Tensor<1> exponentials = xt::exp(row - largest);
            const Scalar total = xt::sum(exponentials)();
            xt::row(weights, static_cast<std::ptrdiff_t>(r)) = exponentials / total;
        }
    }
    return weights;
}

// Step 1.3: one head

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_shape("attend_head", "k", k.shape(), {any_extent, q.shape(1)});
    expect_shape("attend_head", "v", v.shape(), {k.shape(0), q.shape(1)});
    expect_count("attend_head", "positions", positions.size(), q.shape(0));
    Matrix scores = matmul_transposed(q, k);  // [R, S]
    const Scalar root = std::sqrt(static_cast<Scalar>(q.shape(1)));
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (std::cmp_greater(j, positions[r])) {
                scores(r, j) = -std::numeric_limits<Scalar>::infinity();
            } else {
                scores(r, j) /= root;
            }
        }
    }
    return matmul(softmax_rows(scores), v);  // [R, d]
}

// Step 1.4: all heads

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    Tensor<4> out(q.shape());  // [B, H, T, d]
    const std::size_t row_size = q.shape(1) * q.shape(2) * q.shape(3);
    std::vector<std::future<void>> rows;
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        Scalar* row_out = out.data() + b * row_size;
        rows.push_back(std::async(std::launch::async, [&q, &kv, &positions, b, row_out] {
            attend_row(q, kv, b, positions_of_row(positions, b), row_out);
        }));
    }
    for (std::future<void>& row : rows) {
        row.get();  // waits, and passes on what the row has thrown
    }
    return out;
}

// Step 1.5: the layer

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
    auto v = std::async(std::launch::async, [&] { return split_heads(linear(x, weights_.wv), config_.n_kv_heads); });
    auto k = std::async(std::launch::async,
                        [&] { return rotate(split_heads(linear(x, weights_.wk), config_.n_kv_heads), positions); });
    Tensor<4> q = rotate(split_heads(linear(x, weights_.wq), config_.n_heads), positions);
    return {std::move(q), k.get(), v.get()};
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    const xt::xtensor<Position, 1> row = xt::arange<Position>(static_cast<Position>(x.shape(1)));  // [T]
    Positions positions({x.shape(0), x.shape(1)});                                                 // [B, T]
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        xt::view(positions, b) = row;
    }
    const Projected projected = project(x, positions);
    const KeyValues kv(projected.k, projected.v);
    return linear(merge_heads(attend(projected.q, kv, positions)), weights_.wo);
}

// Step 1.6: what it costs

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    return (batch * q_len) * (d_model * d_model) << 2;
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    return (q_len * q_len) * (batch * d_model) << 1;
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    return q_len * batch * q_len * n_heads;
}

}  // namespace costs

}  // namespace workbook
