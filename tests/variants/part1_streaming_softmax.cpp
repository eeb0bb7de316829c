// Part 1 without any row of scores: attend_head goes over the keys once and keeps a running maximum, a running sum and
// a running mix of values, which are rescaled whenever the maximum grows. Sums are kept in double.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace workbook {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// The maximum and the sum of exponentials of the scores seen so far.
struct RunningSoftmax {
    double largest = minus_infinity;
    double total = 0;

    // Takes in one more score; returns what everything summed so far has to be multiplied with.
    double take(double score) {
        const double before = largest;
        largest = std::max(largest, score);
        const double rescale = before == minus_infinity ? 0.0 : std::exp(before - largest);
        total = total * rescale + weight(score);
        return rescale;
    }

    // Not normalised: relative to the largest score so far.
    [[nodiscard]] double weight(double score) const {
        return score == minus_infinity ? 0.0 : std::exp(score - largest);
    }
};

double dot(const ConstMatrix& q, std::size_t r, const ConstMatrix& k, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < q.shape(1); ++c) {
        sum += static_cast<double>(q(r, c)) * static_cast<double>(k(j, c));
    }
    return sum;
}

// The output of query r, which sees keys 0 … position.
std::vector<double> attend_query(const ConstMatrix& q, std::size_t r, const ConstMatrix& k, const ConstMatrix& v,
                                 Position position) {
    RunningSoftmax softmax;
    std::vector<double> mixed(v.shape(1), 0.0);
    const double root = std::sqrt(static_cast<double>(q.shape(1)));
    for (std::size_t j = 0; j < k.shape(0) && static_cast<Position>(j) <= position; ++j) {
        const double score = dot(q, r, k, j) / root;
        const double rescale = softmax.take(score);
        const double weight = softmax.weight(score);
        for (std::size_t c = 0; c < mixed.size(); ++c) {
            mixed[c] = mixed[c] * rescale + weight * static_cast<double>(v(j, c));
        }
    }
    for (double& element : mixed) {
        element = softmax.total > 0 ? element / softmax.total : 0.0;
    }
    return mixed;
}

}  // namespace

// Step 1.1: split and merge heads, by the index of the element in the result

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    Tensor<4> split({x.shape(0), heads, x.shape(1), x.shape(2) / heads});
    const std::size_t q_len = split.shape(2);
    const std::size_t head_dim = split.shape(3);
    for (std::size_t i = 0; i < split.size(); ++i) {
        const std::size_t c = i % head_dim;
        const std::size_t t = i / head_dim % q_len;
        const std::size_t h = i / (head_dim * q_len) % heads;
        const std::size_t b = i / (head_dim * q_len * heads);
        split.flat(i) = x(b, t, h * head_dim + c);
    }
    return split;
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    const std::size_t head_dim = x.shape(3);
    Tensor<3> merged({x.shape(0), x.shape(2), x.shape(1) * head_dim});
    for (std::size_t b = 0; b < merged.shape(0); ++b) {
        for (std::size_t t = 0; t < merged.shape(1); ++t) {
            for (std::size_t column = 0; column < merged.shape(2); ++column) {
                merged(b, t, column) = x(b, column / head_dim, t, column % head_dim);
            }
        }
    }
    return merged;
}

// Step 1.2: softmax over each row, one pass for maximum and sum

Matrix softmax_rows(const Matrix& scores) {
    Matrix weights(scores.shape());
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        RunningSoftmax softmax;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            softmax.take(static_cast<double>(scores(r, j)));
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            const double weight = softmax.weight(static_cast<double>(scores(r, j)));
            weights(r, j) = softmax.total > 0 ? static_cast<Scalar>(weight / softmax.total) : Scalar{0};
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
    Matrix out({q.shape(0), v.shape(1)});  // [R, d]
    for (std::size_t r = 0; r < q.shape(0); ++r) {
        const std::vector<double> mixed = attend_query(q, r, k, v, positions[r]);
        for (std::size_t c = 0; c < mixed.size(); ++c) {
            out(r, c) = static_cast<Scalar>(mixed[c]);
        }
    }
    return out;
}

// Step 1.4: all heads

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    Tensor<4> out = xt::zeros_like(q);  // [B, H, T, d]
    Scalar* head = out.data();          // heads follow one another, row after row
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            const Matrix mixed =
                attend_head(view_heads(q, b, h), kv.keys(b, h), kv.values(b, h), positions_of_row(positions, b));
            head = std::copy(mixed.begin(), mixed.end(), head);
        }
    }
    return out;
}

// Step 1.5: the layer

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
    Projected projected{split_heads(linear(x, weights_.wq), config_.n_heads),
                        split_heads(linear(x, weights_.wk), config_.n_kv_heads),
                        split_heads(linear(x, weights_.wv), config_.n_kv_heads)};
    projected.q = rotate(std::move(projected.q), positions);
    projected.k = rotate(std::move(projected.k), positions);
    return projected;
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    Positions positions({x.shape(0), x.shape(1)});  // [B, T]
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions.flat(i) = static_cast<Position>(i % x.shape(1));
    }
    const auto [q, k, v] = project(x, positions);
    return linear(merge_heads(attend(q, KeyValues(k, v), positions)), weights_.wo);
}

// Step 1.6: what it costs, summed over the four weights, over the two products, over the rows

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    const Count one_token = d_model * d_model + d_model * d_model + d_model * d_model + d_model * d_model;
    return one_token * (batch * q_len);
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    const Count pairs = batch * q_len * q_len;
    const Count scores = pairs * d_model;
    const Count mixing = pairs * d_model;
    return scores + mixing;
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    Count elements = 0;
    for (Count b = 0; b < batch; ++b) {
        elements += n_heads * (q_len * q_len);
    }
    return elements;
}

}  // namespace costs

}  // namespace workbook
