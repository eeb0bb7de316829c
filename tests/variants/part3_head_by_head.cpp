// Part 3 head by head: attend_head for every query head on the key/value head that kv_head_of names.
#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook {

// Step 3.1: which key/value head?

std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads) {
    return query_head * n_kv_heads / n_heads;
}

// Step 3.2: attend in groups

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_groups", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_groups", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_groups", q.shape(1), kv.n_kv_heads());
    Tensor<4> out(q.shape());  // [B, H, T, d]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            const std::size_t kv_head = kv_head_of(h, q.shape(1), kv.n_kv_heads());
            xt::view(out, b, h) = attend_head(view_heads(q, b, h), kv.keys(b, kv_head), kv.values(b, kv_head),
                                              positions_of_row(positions, b));  // [T, d]
        }
    }
    return out;
}

// Step 3.3: rows of different lengths

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    expect_count("ragged_positions", "n_new", n_new.size(), past.size());
    Positions positions = xt::full_like(Positions({past.size(), q_len}), sees_nothing);  // [B, T]
    for (std::size_t b = 0; b < past.size(); ++b) {
        auto position = static_cast<Position>(past[b]);
        for (std::size_t t = 0; t < n_new[b]; ++t) {
            positions(b, t) = position++;
        }
    }
    return positions;
}

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const {
    expect_forward_fits(config_, x, cache, n_new);
    const Positions positions = ragged_positions(cache.lengths(), n_new, x.shape(1));  // [B, T]
    Tensor<3> real = x;  // padding becomes zeros on the way in and on the way out
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        xt::view(real, b, xt::range(n_new[b], x.shape(1))) = Scalar{0};
    }
    const Projected projected = project(real, positions);
    cache.append(projected.k, projected.v, n_new);
    Tensor<3> y = linear(merge_heads(attend_groups(projected.q, cache.live(), positions)), weights_.wo);  // [B, T, D]
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        xt::view(y, b, xt::range(n_new[b], x.shape(1))) = Scalar{0};
    }
    return y;
}

// Step 3.4: what it costs

namespace costs {

Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    const Count tokens = batch * q_len;
    const Count kv_width = n_kv_heads * head_dim;
    const Count queries = tokens * d_model * d_model;
    const Count keys = tokens * d_model * kv_width;
    const Count values = keys;
    const Count output = queries;
    return queries + keys + values + output;
}

Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    const Count d_model = n_heads * head_dim;
    return (tokens + tokens) * n_layers * d_model * bytes_per_element;
}

double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    return 2.0 / static_cast<double>(bytes_per_element) * static_cast<double>(n_heads) /
           static_cast<double>(n_kv_heads);
}

}  // namespace costs

// Step 3.5: streaming attention, one head after the other, with the products of tensor.hpp

namespace {

Matrix stream_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    constexpr std::size_t tile = 64;
    const std::size_t rows = q.shape(0);
    const std::size_t head_dim = q.shape(1);
    const Position latest = rows == 0 ? sees_nothing : *std::ranges::max_element(positions);
    const std::size_t seen = std::min(k.shape(0), static_cast<std::size_t>(latest + 1));
    std::vector<Scalar> maximum(rows, std::numeric_limits<Scalar>::lowest());
    std::vector<Scalar> sum(rows, 0);
    Matrix mixed = xt::zeros<Scalar>({rows, head_dim});
    for (std::size_t first = 0; first < seen; first += tile) {
        const std::size_t n_keys = std::min(tile, seen - first);
        Matrix scores = matmul_transposed(q, view_matrix(k.data() + first * head_dim, n_keys, head_dim));  // [R, n]
        scores /= std::sqrt(static_cast<Scalar>(head_dim));
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t j = 0; j < n_keys; ++j) {
                if (static_cast<Position>(first + j) > positions[r]) {
                    scores(r, j) = -std::numeric_limits<Scalar>::infinity();
                }
            }
            const Scalar highest = xt::amax(xt::view(scores, r))();
            const Scalar raised = std::max(maximum[r], highest);
            const Scalar correction = std::exp(maximum[r] - raised);
            xt::view(scores, r) = xt::exp(xt::view(scores, r) - raised);
            sum[r] = sum[r] * correction + xt::sum(xt::view(scores, r))();
            xt::view(mixed, r) *= correction;
            maximum[r] = raised;
        }
        mixed += matmul(scores, view_matrix(v.data() + first * head_dim, n_keys, head_dim));  // [R, d]
    }
    for (std::size_t r = 0; r < rows; ++r) {
        xt::view(mixed, r) /= sum[r] > 0 ? sum[r] : 1;
    }
    return mixed;
}

}  // namespace

Tensor<4> attend_streaming(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    Tensor<4> out(q.shape());
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            const std::size_t g = kv_head_of(h, q.shape(1), kv.n_kv_heads());
            xt::view(out, b, h) =
                stream_head(view_heads(q, b, h), kv.keys(b, g), kv.values(b, g), positions_of_row(positions, b));
        }
    }
    return out;
}

}  // namespace workbook
