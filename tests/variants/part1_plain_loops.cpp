// Part 1 in plain loops: one element at a time, one decision per line.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace workbook {

namespace {
constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();
}  // namespace

// Step 1.1: split and merge heads

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    const std::size_t head_dim = x.shape(2) / heads;
    Tensor<4> split({batch, heads, q_len, head_dim});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t h = 0; h < heads; ++h) {
            for (std::size_t t = 0; t < q_len; ++t) {
                for (std::size_t c = 0; c < head_dim; ++c) {
                    split(b, h, t, c) = x(b, t, h * head_dim + c);
                }
            }
        }
    }
    return split;
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    const std::size_t batch = x.shape(0);
    const std::size_t heads = x.shape(1);
    const std::size_t q_len = x.shape(2);
    const std::size_t head_dim = x.shape(3);
    Tensor<3> merged({batch, q_len, heads * head_dim});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t h = 0; h < heads; ++h) {
            for (std::size_t t = 0; t < q_len; ++t) {
                for (std::size_t c = 0; c < head_dim; ++c) {
                    merged(b, t, h * head_dim + c) = x(b, h, t, c);
                }
            }
        }
    }
    return merged;
}

// Step 1.2: softmax over each row

Matrix softmax_rows(const Matrix& scores) {
    const std::size_t rows = scores.shape(0);
    const std::size_t columns = scores.shape(1);
    Matrix weights({rows, columns});
    for (std::size_t r = 0; r < rows; ++r) {
        Scalar largest = minus_infinity;
        for (std::size_t j = 0; j < columns; ++j) {
            largest = std::max(largest, scores(r, j));
        }
        // A row that sees nothing: -inf - -inf would be NaN, while any finite shift gives exp(-inf) = 0.
        const Scalar shift = largest == minus_infinity ? 0 : largest;
        Scalar total = 0;
        for (std::size_t j = 0; j < columns; ++j) {
            weights(r, j) = std::exp(scores(r, j) - shift);
            total += weights(r, j);
        }
        const Scalar divisor = total == 0 ? 1 : total;
        for (std::size_t j = 0; j < columns; ++j) {
            weights(r, j) /= divisor;
        }
    }
    return weights;
}

// Step 1.3: one head

namespace {

// Scaled scores of every query and key, [R, S]; a hidden key gets -infinity, lower than any score.
Matrix masked_scores(const ConstMatrix& q, const ConstMatrix& k, std::span<const Position> positions) {
    const std::size_t q_len = q.shape(0);
    const std::size_t kv_len = k.shape(0);
    const std::size_t head_dim = q.shape(1);
    const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(head_dim));
    Matrix scores({q_len, kv_len});
    for (std::size_t r = 0; r < q_len; ++r) {
        const Position position = positions[r];
        for (std::size_t j = 0; j < kv_len; ++j) {
            const bool visible = static_cast<Position>(j) <= position;
            Scalar dot = 0;
            for (std::size_t c = 0; c < head_dim; ++c) {
                dot += q(r, c) * k(j, c);
            }
            scores(r, j) = visible ? dot * scale : minus_infinity;
        }
    }
    return scores;
}

// The sum of all values, each times its weight, for every query: [R, d].
Matrix mix_values(const Matrix& weights, const ConstMatrix& v) {
    const std::size_t q_len = weights.shape(0);
    const std::size_t kv_len = v.shape(0);
    const std::size_t head_dim = v.shape(1);
    Matrix out({q_len, head_dim});
    for (std::size_t r = 0; r < q_len; ++r) {
        for (std::size_t c = 0; c < head_dim; ++c) {
            Scalar sum = 0;
            for (std::size_t j = 0; j < kv_len; ++j) {
                sum += weights(r, j) * v(j, c);
            }
            out(r, c) = sum;
        }
    }
    return out;
}

}  // namespace

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_shape("attend_head", "k", k.shape(), {any_extent, q.shape(1)});
    expect_shape("attend_head", "v", v.shape(), {k.shape(0), q.shape(1)});
    expect_count("attend_head", "positions", positions.size(), q.shape(0));
    const Matrix scores = masked_scores(q, k, positions);
    const Matrix weights = softmax_rows(scores);
    return mix_values(weights, v);
}

// Step 1.4: all heads

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    const std::size_t batch = q.shape(0);
    const std::size_t n_heads = q.shape(1);
    const std::size_t q_len = q.shape(2);
    const std::size_t head_dim = q.shape(3);
    Tensor<4> out({batch, n_heads, q_len, head_dim});
    for (std::size_t b = 0; b < batch; ++b) {
        const std::span<const Position> row_positions = positions_of_row(positions, b);
        for (std::size_t h = 0; h < n_heads; ++h) {
            const ConstMatrix queries = view_heads(q, b, h);
            const ConstMatrix keys = kv.keys(b, h);
            const ConstMatrix values = kv.values(b, h);
            const Matrix head = attend_head(queries, keys, values, row_positions);
            for (std::size_t t = 0; t < q_len; ++t) {
                for (std::size_t c = 0; c < head_dim; ++c) {
                    out(b, h, t, c) = head(t, c);
                }
            }
        }
    }
    return out;
}

// Step 1.5: the layer

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
    const Tensor<4> q = split_heads(linear(x, weights_.wq), config_.n_heads);
    const Tensor<4> k = split_heads(linear(x, weights_.wk), config_.n_kv_heads);
    const Tensor<4> v = split_heads(linear(x, weights_.wv), config_.n_kv_heads);
    Projected projected;
    projected.q = rotate(q, positions);
    projected.k = rotate(k, positions);
    projected.v = v;
    return projected;
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    Positions positions({batch, q_len});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            positions(b, t) = static_cast<Position>(t);
        }
    }
    const Projected projected = project(x, positions);
    const KeyValues kv(projected.k, projected.v);
    const Tensor<4> mixed = attend(projected.q, kv, positions);
    const Tensor<3> merged = merge_heads(mixed);
    return linear(merged, weights_.wo);
}

// Step 1.6: what it costs

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    return 4 * batch * q_len * d_model * d_model;
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    return 2 * batch * q_len * q_len * d_model;
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    return batch * n_heads * q_len * q_len;
}

}  // namespace costs

}  // namespace workbook
