// Part 3 head by head: attend_head for every query head on the key/value head that kv_head_of names.
#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
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
    // [head by head]
    Tensor<4> out(q.shape());  // [B, H, T, d]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            const std::size_t kv_head = kv_head_of(h, q.shape(1), kv.n_kv_heads());
            xt::view(out, b, h) = attend_head(view_heads(q, b, h), kv.keys(b, kv_head), kv.values(b, kv_head),
                                              positions_of_row(positions, b));  // [T, d]
        }
    }
    return out;
    // [head by head]
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

}  // namespace workbook
