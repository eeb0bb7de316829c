// Part 3 group by group in two passes: the scores of all G·T rows of a group at once, then their mix of values. Each
// key is read once for the whole group, and attend_head is not needed.
#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook {

namespace {

// First pass: scores of the G·T rows of a group against every key, hidden ones -infinity: [G·T, S]. Row i belongs to
// the slot i % T.
Matrix group_scores(const ConstMatrix& queries, const ConstMatrix& keys, std::span<const Position> positions) {
    const auto root = std::sqrt(static_cast<Scalar>(queries.shape(1)));
    Matrix scores({queries.shape(0), keys.shape(0)});
    for (std::size_t j = 0; j < keys.shape(0); ++j) {
        for (std::size_t i = 0; i < queries.shape(0); ++i) {
            Scalar dot = 0;
            for (std::size_t c = 0; c < queries.shape(1); ++c) {
                dot += queries(i, c) * keys(j, c);
            }
            const Position position = positions[i % positions.size()];
            scores(i, j) = position >= static_cast<Position>(j) ? dot / root : -std::numeric_limits<Scalar>::infinity();
        }
    }
    return scores;
}

// Second pass: adds every value to the rows of the group that see it, then divides by the sum of their weights.
void mix_into(Scalar* out, const Matrix& scores, const ConstMatrix& values) {
    const std::size_t head_dim = values.shape(1);
    for (std::size_t i = 0; i < scores.shape(0); ++i, out += head_dim) {
        const Scalar* row = scores.data() + i * scores.shape(1);
        const Scalar* largest = std::max_element(row, row + scores.shape(1));
        Scalar total = 0;
        for (std::size_t j = 0; j < scores.shape(1) && std::isfinite(*largest); ++j) {
            const Scalar weight = std::exp(scores(i, j) - *largest);
            total += weight;
            for (std::size_t c = 0; c < head_dim; ++c) {
                out[c] += weight * values(j, c);
            }
        }
        for (std::size_t c = 0; c < head_dim && total > 0; ++c) {
            out[c] /= total;
        }
    }
}

}  // namespace

// Step 3.1: which key/value head? Counted: the groups that end at or before this head.

std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads) {
    std::size_t kv_head = 0;
    for (std::size_t end = n_heads / n_kv_heads; end <= query_head; end += n_heads / n_kv_heads) {
        ++kv_head;
    }
    return kv_head;
}

// Step 3.2: attend in groups

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_groups", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_groups", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_groups", q.shape(1), kv.n_kv_heads());
    const std::size_t group_size = q.shape(1) / kv.n_kv_heads();
    const std::size_t group_elements = group_size * q.shape(2) * q.shape(3);
    Tensor<4> out = xt::zeros<Scalar>(q.shape());  // [B, H, T, d]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t g = 0; g < kv.n_kv_heads(); ++g) {
            const ConstMatrix queries = view_heads(q, b, g * group_size, group_size);                    // [G·T, d]
            const Matrix scores = group_scores(queries, kv.keys(b, g), positions_of_row(positions, b));  // [G·T, S]
            mix_into(out.data() + (b * kv.n_kv_heads() + g) * group_elements, scores, kv.values(b, g));
        }
    }
    return out;
}

// Step 3.3: rows of different lengths

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    expect_count("ragged_positions", "n_new", n_new.size(), past.size());
    const xt::xtensor<Position, 1> slots = xt::arange<Position>(static_cast<Position>(q_len));  // [T]
    Positions positions({past.size(), q_len});                                                  // [B, T]
    for (std::size_t b = 0; b < past.size(); ++b) {
        const auto first = static_cast<Position>(past[b]);
        xt::view(positions, b) = xt::where(slots < static_cast<Position>(n_new[b]), slots + first, sees_nothing);
    }
    return positions;
}

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const {
    expect_forward_fits(config_, x, cache, n_new);
    const Lengths past = cache.lengths();
    const auto positions = ragged_positions(past, n_new, x.shape(1));
    const auto projected = project(x, positions);
    cache.append(projected.k, projected.v, n_new);
    const KeyValues written(cache.keys(), cache.values(), cache.lengths());
    const auto mixed = attend(projected.q, written, positions);  // [B, H, T, d]
    const auto merged = merge_heads(mixed);                      // [B, T, D]
    return linear(merged, weights_.wo);
}

// Step 3.4: what it costs

namespace costs {

Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    const Count columns = d_model + n_kv_heads * head_dim + n_kv_heads * head_dim + d_model;  // wq, wk, wv, wo
    return columns * d_model * (batch * q_len);
}

Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    const Count elements = tokens * n_layers * n_heads * head_dim;
    const Count key_bytes = elements * bytes_per_element;
    const Count value_bytes = elements * bytes_per_element;
    return key_bytes + value_bytes;
}

double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    return static_cast<double>(2 * n_heads) / static_cast<double>(n_kv_heads * bytes_per_element);
}

}  // namespace costs

}  // namespace workbook
