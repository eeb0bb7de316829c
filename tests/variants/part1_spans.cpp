// Part 1 with spans, pointers and the algorithms of the standard library; heads are cut and joined by memcpy.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace workbook {

namespace {

using Row = std::span<const Scalar>;

Row row_of(const ConstMatrix& matrix, std::size_t row) {
    return {matrix.data() + row * matrix.shape(1), matrix.shape(1)};
}

Scalar inner_product(Row a, Row b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), Scalar{0});
}

// Softmax in place, in powers of two: 2^(x · log2 e) is e^x.
void softmax(std::span<Scalar> row) {
    const auto largest = std::max_element(row.begin(), row.end());
    if (largest == row.end() || std::isinf(*largest)) {
        std::fill(row.begin(), row.end(), Scalar{0});
        return;
    }
    std::transform(row.begin(), row.end(), row.begin(), [shift = *largest](Scalar score) {
        return std::exp2((score - shift) * std::numbers::log2e_v<Scalar>);
    });
    const Scalar total = std::reduce(row.begin(), row.end());
    std::transform(row.begin(), row.end(), row.begin(), [total](Scalar weight) { return weight / total; });
}

// out += weight · row
void add_scaled(std::span<Scalar> out, Scalar weight, Row row) {
    std::transform(out.begin(), out.end(), row.begin(), out.begin(),
                   [weight](Scalar sum, Scalar element) { return sum + weight * element; });
}

}  // namespace

// Step 1.1: split and merge heads

Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads) {
    const std::size_t q_len = x.shape(1);
    const std::size_t head_dim = x.shape(2) / heads;
    Tensor<4> split({x.shape(0), heads, q_len, head_dim});
    const Scalar* source = x.data();  // runs through x once: row, token, head
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            for (std::size_t h = 0; h < heads; ++h, source += head_dim) {
                Scalar* target = split.data() + ((b * heads + h) * q_len + t) * head_dim;
                std::memcpy(target, source, head_dim * sizeof(Scalar));
            }
        }
    }
    return split;
}

Tensor<3> merge_heads(const Tensor<4>& x) {
    const auto [batch, heads, q_len, head_dim] = x.shape();
    Tensor<3> merged({batch, q_len, heads * head_dim});
    Scalar* target = merged.data();  // runs through the result once: row, token, head
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            for (std::size_t h = 0; h < heads; ++h, target += head_dim) {
                const Scalar* source = x.data() + ((b * heads + h) * q_len + t) * head_dim;
                std::memcpy(target, source, head_dim * sizeof(Scalar));
            }
        }
    }
    return merged;
}

// Step 1.2: softmax over each row

Matrix softmax_rows(const Matrix& scores) {
    Matrix weights = scores;  // [R, S]
    for (std::size_t r = 0; r < weights.shape(0); ++r) {
        softmax({weights.data() + r * weights.shape(1), weights.shape(1)});
    }
    return weights;
}

// Step 1.3: one head

Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    expect_shape("attend_head", "k", k.shape(), {any_extent, q.shape(1)});
    expect_shape("attend_head", "v", v.shape(), {k.shape(0), q.shape(1)});
    expect_count("attend_head", "positions", positions.size(), q.shape(0));
    Matrix out(q.shape(), Scalar{0});        // [R, d]
    std::vector<Scalar> scores(k.shape(0));  // [S], of one query at a time
    for (std::size_t r = 0; r < q.shape(0); ++r) {
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const Scalar root = std::sqrt(static_cast<Scalar>(q.shape(1)));
            scores[j] = std::cmp_less(positions[r], j) ? -std::numeric_limits<Scalar>::infinity()
                                                       : inner_product(row_of(q, r), row_of(k, j)) / root;
        }
        softmax(scores);
        for (std::size_t j = 0; j < scores.size(); ++j) {
            add_scaled({out.data() + r * out.shape(1), out.shape(1)}, scores[j], row_of(v, j));
        }
    }
    return out;
}

// Step 1.4: all heads

Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    Tensor<4> out(q.shape());  // [B, H, T, d]
    const std::size_t n_heads = q.shape(1);
    const std::size_t block = q.shape(2) * q.shape(3);
    for (std::size_t i = 0; i < q.shape(0) * n_heads; ++i) {  // rows and heads in one count
        const std::size_t b = i / n_heads;
        const std::size_t h = i % n_heads;
        const ConstMatrix head = view_matrix(q.data() + i * block, q.shape(2), q.shape(3));  // [T, d]
        const Matrix mixed = attend_head(head, kv.keys(b, h), kv.values(b, h), positions_of_row(positions, b));
        std::copy_n(mixed.data(), block, out.data() + i * block);
    }
    return out;
}

// Step 1.5: the layer

Projected Attention::project(const Tensor<3>& x, const Positions& positions) const {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
    const auto heads_of = [&x](const Matrix& w, std::size_t heads) { return split_heads(linear(x, w), heads); };
    return {.q = rotate(heads_of(weights_.wq, config_.n_heads), positions),
            .k = rotate(heads_of(weights_.wk, config_.n_kv_heads), positions),
            .v = heads_of(weights_.wv, config_.n_kv_heads)};
}

Tensor<3> Attention::forward(const Tensor<3>& x) const {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config_.d_model});
    Positions positions({x.shape(0), x.shape(1)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        std::iota(&positions.data()[b * x.shape(1)], &positions.data()[(b + 1) * x.shape(1)], Position{0});
    }
    const Projected projected = project(x, positions);
    const KeyValues kv(projected.k, projected.v, Lengths(x.shape(0), x.shape(1)));
    return linear(merge_heads(attend(projected.q, kv, positions)), weights_.wo);
}

// Step 1.6: what it costs

namespace costs {

Count projection_multiply_adds(Count batch, Count q_len, Count d_model) {
    const std::vector<Count> factors{4, batch, q_len, d_model, d_model};
    return std::accumulate(factors.begin(), factors.end(), Count{1}, std::multiplies<>());
}

Count attention_multiply_adds(Count batch, Count q_len, Count d_model) {
    return 2 * d_model * score_elements(batch, 1, q_len);
}

Count score_elements(Count batch, Count n_heads, Count q_len) {
    return n_heads * batch * (q_len * q_len);
}

}  // namespace costs

}  // namespace workbook
