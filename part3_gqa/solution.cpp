// Part 3: grouped-query attention over the cache, in four steps.
//
// exercise.cpp leaves the body of every step to you; solution.cpp is the same file with worked bodies. attention.hpp
// and kv_cache.hpp say what each function takes and returns. A first line expect_… is given: it refuses bad input.
// Helper functions of your own go into `namespace { … }`, so that they stay in this file. Stuck? hints.md has three
// hints per step.
#include "part1_mha/attention.hpp"
#include "part1_mha/guards.hpp"
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <vector>

namespace workbook {

// Step 3.1: which key/value head?
//
// n_heads query heads share n_kv_heads key/value heads in groups of neighbours. Which one does query_head read?

std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads) {
    // [3.1 kv_head_of]
    const std::size_t group_size = n_heads / n_kv_heads;
    return query_head / group_size;
    // [3.1 kv_head_of]
}

// Step 3.2: attend in groups
//
// q [B, H, T, d] and kv with Hkv key/value heads give [B, H, T, d]: query head h reads the key/value head that your
// kv_head_of says. The same code has to be MHA (Hkv = H) and MQA (Hkv = 1). For a strong hire, keys and values are
// never repeated to H heads; the bytes that a call allocates are measured.

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_groups_fit("attend_groups", q, kv, positions);
    // [3.2 attend_groups]
    const std::size_t n_heads = q.shape(1);
    const std::size_t q_len = q.shape(2);
    const std::size_t group_size = n_heads / kv.n_kv_heads();
    Tensor<4> out({q.shape(0), kv.n_kv_heads(), group_size * q_len, q.shape(3)});  // [B, Hkv, G·T, d]
    std::vector<Position> tiled(group_size * q_len);  // [G·T], a row's positions once for each head of a group
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t i = 0; i < tiled.size(); ++i) {
            tiled[i] = positions(b, i % q_len);
        }
        for (std::size_t g = 0; g < kv.n_kv_heads(); ++g) {
            // The G heads from h on are neighbours in q, so their G·T rows are one matrix, and one head's attention
            // over it reads each key and value once for the whole group.
            const std::size_t h = g * group_size;
            const std::size_t kv_head = kv_head_of(h, n_heads, kv.n_kv_heads());
            xt::view(out, b, g) = attend_head(view_heads(q, b, h, group_size), kv.keys(b, kv_head),
                                              kv.values(b, kv_head), tiled);  // [G·T, d]
        }
    }
    out.reshape(q.shape());  // [B, Hkv, G·T, d] and [B, H, T, d] are the same elements in the same order
    return out;
    // [3.2 attend_groups]
}

// Step 3.3: rows of different lengths
//
// Row b brings n_new[b] valid tokens in the T slots of x; the slots behind them are padding and may hold anything.
// ragged_positions gives the absolute position of each slot, sees_nothing (-1) for padding. forward appends the valid
// tokens only, and the output of a padded slot is zeros. A row may bring no token at all.

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    expect_count("ragged_positions", "n_new", n_new.size(), past.size());
    // [3.3 ragged_positions]
    Positions positions = call_positions(past, q_len);  // [B, T]
    for (std::size_t b = 0; b < past.size(); ++b) {
        xt::view(positions, b, xt::range(n_new[b], q_len)) = sees_nothing;
    }
    return positions;
    // [3.3 ragged_positions]
}

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const {
    expect_forward_fits(config_, x, cache, n_new);
    // [3.3 Attention::forward]
    const Positions positions = ragged_positions(cache.lengths(), n_new, x.shape(1));  // [B, T]

    const Projected projected = project(x, positions);
    cache.append(projected.k, projected.v, n_new);
    return output(projected.q, cache.live(), positions);  // a slot that sees nothing gives zeros
    // [3.3 Attention::forward]
}

// Step 3.4: what it costs
//
// Multiply-adds of the four projections when wk and wv are [D, Hkv·d]; bytes of the cache if it were expanded to H
// heads; and the floating-point operations of scores and mixing that decode does per byte it reads from the cache (a
// multiply-add is two operations). One or two lines each.

namespace costs {

Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    // [3.4 grouped_projection_multiply_adds]
    return 2 * batch * q_len * d_model * (d_model + n_kv_heads * head_dim);  // wq and wo, then wk and wv
    // [3.4 grouped_projection_multiply_adds]
}

Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    // [3.4 expanded_cache_bytes]
    return tokens * cache_bytes_per_token(n_layers, n_heads, head_dim, bytes_per_element);
    // [3.4 expanded_cache_bytes]
}

double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    // [3.4 decode_flops_per_cache_byte]
    // Each cached element takes part in one multiply-add, two operations, for each of the G query heads of its group.
    const double group_size = static_cast<double>(n_heads) / static_cast<double>(n_kv_heads);
    return 2 * group_size / static_cast<double>(bytes_per_element);
    // [3.4 decode_flops_per_cache_byte]
}

}  // namespace costs

}  // namespace workbook
