// Part 3 in plain loops: every query head reads the key/value head of its group in place, one element at a time.
#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook {

namespace {

constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();

// Scaled scores of one query against all keys of a head; a hidden key gets -infinity.
std::vector<Scalar> masked_scores(const Scalar* query, const ConstMatrix& keys, Position position) {
    const std::size_t kv_len = keys.shape(0);
    const std::size_t head_dim = keys.shape(1);
    const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(head_dim));
    std::vector<Scalar> scores(kv_len);
    for (std::size_t j = 0; j < kv_len; ++j) {
        const bool visible = static_cast<Position>(j) <= position;
        Scalar dot = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
            dot += query[c] * keys(j, c);
        }
        scores[j] = visible ? dot * scale : minus_infinity;
    }
    return scores;
}

// Softmax of one query's scores; zeros for a query that sees nothing.
std::vector<Scalar> softmax(const std::vector<Scalar>& scores) {
    Scalar largest = minus_infinity;
    for (const Scalar score : scores) {
        largest = std::max(largest, score);
    }
    // Where nothing is seen, -inf - -inf would be NaN, while any finite shift gives exp(-inf) = 0.
    const Scalar shift = largest == minus_infinity ? 0 : largest;
    std::vector<Scalar> weights(scores.size());
    Scalar total = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        weights[j] = std::exp(scores[j] - shift);
        total += weights[j];
    }
    const Scalar divisor = total == 0 ? 1 : total;
    for (Scalar& weight : weights) {
        weight /= divisor;
    }
    return weights;
}

}  // namespace

// Step 3.1: which key/value head?

std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads) {
    const std::size_t group_size = n_heads / n_kv_heads;
    return query_head / group_size;
}

// Step 3.2: attend in groups

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_groups", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_groups", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_groups", q.shape(1), kv.n_kv_heads());
    const std::size_t batch = q.shape(0);
    const std::size_t n_heads = q.shape(1);
    const std::size_t q_len = q.shape(2);
    const std::size_t head_dim = q.shape(3);
    const std::size_t group_size = n_heads / kv.n_kv_heads();
    Tensor<4> out({batch, n_heads, q_len, head_dim});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t h = 0; h < n_heads; ++h) {
            const std::size_t kv_head = h / group_size;
            const ConstMatrix keys = kv.keys(b, kv_head);
            const ConstMatrix values = kv.values(b, kv_head);
            for (std::size_t t = 0; t < q_len; ++t) {
                const Position position = positions(b, t);
                const std::vector<Scalar> scores = masked_scores(&q(b, h, t, 0), keys, position);
                const std::vector<Scalar> weights = softmax(scores);
                for (std::size_t c = 0; c < head_dim; ++c) {
                    Scalar sum = 0;
                    for (std::size_t j = 0; j < kv.kv_len(b); ++j) {
                        sum += weights[j] * values(j, c);
                    }
                    out(b, h, t, c) = sum;
                }
            }
        }
    }
    return out;
}

// Step 3.3: rows of different lengths

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    expect_count("ragged_positions", "n_new", n_new.size(), past.size());
    const std::size_t batch = past.size();
    Positions positions({batch, q_len});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            const bool real = t < n_new[b];
            positions(b, t) = real ? static_cast<Position>(past[b] + t) : sees_nothing;
        }
    }
    return positions;
}

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const {
    expect_forward_fits(config_, x, cache, n_new);
    const std::size_t q_len = x.shape(1);
    const Positions positions = ragged_positions(cache.lengths(), n_new, q_len);
    const Projected projected = project(x, positions);
    cache.append(projected.k, projected.v, n_new);
    const KeyValues kv = cache.live();
    const Tensor<4> mixed = attend(projected.q, kv, positions);
    const Tensor<3> merged = merge_heads(mixed);
    return linear(merged, weights_.wo);
}

// Step 3.4: what it costs

namespace costs {

Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    const Count wq_and_wo = 2 * d_model * d_model;
    const Count wk_and_wv = 2 * d_model * n_kv_heads * head_dim;
    return batch * q_len * (wq_and_wo + wk_and_wv);
}

Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    return 2 * tokens * n_layers * n_heads * head_dim * bytes_per_element;
}

double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    // For every cached token and column: scores and mixing are a multiply-add each, two operations, for every query
    // head; a key and a value are read for every key/value head.
    const double operations = 4 * static_cast<double>(n_heads);
    const double bytes = 2 * static_cast<double>(n_kv_heads) * static_cast<double>(bytes_per_element);
    return operations / bytes;
}

}  // namespace costs

}  // namespace workbook
