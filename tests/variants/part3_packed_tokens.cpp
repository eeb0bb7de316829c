// Part 3 without padding inside: forward packs the real tokens of all rows one after another, projects only those, and
// puts the outputs back into their slots.
#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace workbook {

namespace {

// Where the real token number i of a call belongs.
struct Slot {
    std::size_t b, t;
};

std::vector<Slot> real_slots(const Lengths& n_new) {
    std::vector<Slot> slots;
    for (std::size_t b = 0; b < n_new.size(); ++b) {
        for (std::size_t t = 0; t < n_new[b]; ++t) {
            slots.push_back({b, t});
        }
    }
    return slots;
}

// Packed heads [1, heads, N, d] as heads with a slot for everything, [B, heads, T, d]; zeros in padded slots.
Tensor<4> unpacked(const Tensor<4>& packed, const std::vector<Slot>& slots, std::size_t batch, std::size_t q_len) {
    Tensor<4> heads = xt::zeros<Scalar>({batch, packed.shape(1), q_len, packed.shape(3)});
    for (std::size_t i = 0; i < slots.size(); ++i) {
        xt::view(heads, slots[i].b, xt::all(), slots[i].t) = xt::view(packed, 0, xt::all(), i);  // [heads, d]
    }
    return heads;
}

}  // namespace

// Step 3.1: which key/value head?

std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads) {
    const std::size_t place_in_group = query_head % (n_heads / n_kv_heads);
    return (query_head - place_in_group) * n_kv_heads / n_heads;
}

// Step 3.2: attend in groups: a loop over key/value heads, in which the query heads of the group ask one by one

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_groups", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_groups", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_groups", q.shape(1), kv.n_kv_heads());
    const std::size_t group_size = q.shape(1) / kv.n_kv_heads();
    Tensor<4> out = xt::empty_like(q);  // [B, H, T, d]
    Scalar* next = out.data();
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t g = 0; g < kv.n_kv_heads(); ++g) {
            const ConstMatrix keys = kv.keys(b, g);      // [S, d]
            const ConstMatrix values = kv.values(b, g);  // [S, d]
            for (std::size_t i = 0; i < group_size; ++i) {
                const ConstMatrix queries = view_heads(q, b, g * group_size + i);                         // [T, d]
                const Matrix mixed = attend_head(queries, keys, values, positions_of_row(positions, b));  // [T, d]
                next = std::copy(mixed.begin(), mixed.end(), next);
            }
        }
    }
    return out;
}

// Step 3.3: rows of different lengths

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    expect_count("ragged_positions", "n_new", n_new.size(), past.size());
    Positions positions({past.size(), q_len});  // [B, T]
    positions.fill(sees_nothing);
    for (std::size_t b = 0; b < past.size(); ++b) {
        Position* row = positions.data() + b * q_len;
        std::iota(row, row + n_new[b], static_cast<Position>(past[b]));
    }
    return positions;
}

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const {
    expect_forward_fits(config_, x, cache, n_new);
    const Positions positions = ragged_positions(cache.lengths(), n_new, x.shape(1));  // [B, T]
    const std::vector<Slot> slots = real_slots(n_new);                                 // [N]
    Tensor<3> packed_x({1, slots.size(), config_.d_model});                            // [1, N, D]
    Positions packed_positions({1, slots.size()});                                     // [1, N]
    for (std::size_t i = 0; i < slots.size(); ++i) {
        xt::view(packed_x, 0, i) = xt::view(x, slots[i].b, slots[i].t);
        packed_positions(0, i) = positions(slots[i].b, slots[i].t);
    }
    const Projected packed = project(packed_x, packed_positions);
    const auto unpack = [&](const Tensor<4>& heads) { return unpacked(heads, slots, x.shape(0), x.shape(1)); };
    cache.append(unpack(packed.k), unpack(packed.v), n_new);
    const Tensor<4> mixed = attend(unpack(packed.q), cache.live(), positions);  // [B, H, T, d]
    return linear(merge_heads(mixed), weights_.wo);                             // [B, T, D]
}

// Step 3.4: what it costs, as a fraction or a multiple of multi-head attention

namespace costs {

Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    const Count multi_head = projection_multiply_adds(batch, q_len, d_model);
    const Count columns_saved = 2 * (d_model - n_kv_heads * head_dim);
    return multi_head - batch * q_len * d_model * columns_saved;
}

Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    return n_heads * tokens * cache_bytes_per_token(n_layers, 1, head_dim, bytes_per_element);
}

double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    const auto multi_head = 2 / static_cast<double>(bytes_per_element);
    return multi_head * (static_cast<double>(n_heads) / static_cast<double>(n_kv_heads));
}

}  // namespace costs

}  // namespace workbook
