// Part 3: grouped-query attention over the cache, in four steps and a bonus.
//
// exercise.cpp leaves the body of every step to you; solution.cpp is the same file with worked bodies. attention.hpp
// and kv_cache.hpp say what each function takes and returns. Lines with expect_… are given: they refuse bad input.
// Helper functions of your own go into `namespace { … }`, so that they stay in this file. Stuck? hints.md has three
// hints per step.
#include "part1_mha/attention.hpp"
#include "part2_kv_cache/kv_cache.hpp"
#include "part3_gqa/given/in_parallel.hpp"
#include "part3_gqa/given/query_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
// q [B, H, T, d] and kv with Hkv key/value heads give [B, H, T, d]. The same code has to be MHA (Hkv = H) and MQA (Hkv
// = 1). For a strong hire, keys and values are never repeated to H heads; the bytes that a call allocates are measured.

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_groups", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_groups", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_groups", q.shape(1), kv.n_kv_heads());
    // [3.2 attend_groups]
    const std::size_t group_size = q.shape(1) / kv.n_kv_heads();
    const std::size_t q_len = q.shape(2);
    Tensor<4> out({q.shape(0), kv.n_kv_heads(), group_size * q_len, q.shape(3)});  // [B, Hkv, G·T, d]
    std::vector<Position> tiled(group_size * q_len);                               // [G·T]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        const auto row_positions = positions_of_row(positions, b);  // [T]
        for (std::size_t i = 0; i < tiled.size(); ++i) {
            tiled[i] = row_positions[i % q_len];
        }
        for (std::size_t g = 0; g < kv.n_kv_heads(); ++g) {
            // The G query heads of a group are neighbours in q, so their G·T rows are one matrix, and one head's
            // attention over it reads each key and value once for the whole group.
            const ConstMatrix group = view_heads(q, b, g * group_size, group_size);  // [G·T, d]
            xt::view(out, b, g) = attend_head(group, kv.keys(b, g), kv.values(b, g), tiled);
        }
    }
    out.reshape(q.shape());  // [B, Hkv, G·T, d] and [B, H, T, d] are the same elements in the same order
    return out;
    // [3.2 attend_groups]
}

// Step 3.3: rows of different lengths
//
// Row b brings n_new[b] real tokens in the T slots of x; the slots behind them are padding and may hold anything.
// ragged_positions gives the absolute position of each slot, sees_nothing (-1) for padding. forward appends the real
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
    const Tensor<4> mixed = attend(projected.q, cache.live(), positions);  // [B, H, T, d], zeros in padded slots
    return linear(merge_heads(mixed), weights_.wo);                        // [B, T, D]
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

// Step 3.5: streaming attention (bonus)
//
// No verdict needs this step; it is the usual follow-up question. Give what attend_groups gives without ever storing a
// score for every key: walk over the keys and values of a head once, a tile of them at a time, and keep for each query
// a running maximum, a running sum and an output that is not divided yet. What a call allocates must not grow with the
// number of keys, and tiles that no query sees are skipped. A layer uses this step when its configuration says
// `streaming`. query_block.hpp and in_parallel.hpp have given code that makes it fast; matmul does as well.

// [3.5 helpers]
namespace {

// Scores of keys that come later than the query, in a tile that starts with key `first`.
void hide_later_keys(QueryBlock& block, std::span<const Position> positions, std::size_t first, std::size_t n_keys) {
    for (std::size_t r = 0; r < positions.size(); ++r) {
        const auto seen = static_cast<std::size_t>(positions[r] + 1);
        for (std::size_t j = seen > first ? seen - first : 0; j < n_keys; ++j) {
            block.at(r, j) = -std::numeric_limits<Scalar>::infinity();
        }
    }
}

// Attention of a block's queries in one pass. With the maximum m of the scores s seen so far, the block holds
// a = Σ e^(s - m)·v, and l = Σ e^(s - m) is beside it. A tile with a higher score raises m to m'; both sums are then
// made for m' by the factor e^(m - m'). At the end, a / l is the softmax's weighted mean.
void stream(QueryBlock& block, const ConstMatrix& k, const ConstMatrix& v, std::span<const Position> positions) {
    QueryBlock::PerRow maximum{};  // m; finite from the start, so that m - m' is a number where nothing is seen
    QueryBlock::PerRow sum{};      // l
    QueryBlock::PerRow correction{};
    maximum.fill(std::numeric_limits<Scalar>::lowest());
    const auto [earliest, latest] = std::ranges::minmax(positions);
    const std::size_t seen = std::min(k.shape(0), static_cast<std::size_t>(latest + 1));
    for (std::size_t first = 0; first < seen; first += QueryBlock::keys_per_tile) {  // no tile beyond what is seen
        const std::size_t n_keys = std::min(QueryBlock::keys_per_tile, seen - first);
        block.score(k.data() + first * k.shape(1), n_keys);  // s = q·kᵀ / √d
        if (earliest + 1 < static_cast<Position>(first + n_keys)) {
            hide_later_keys(block, positions, first, n_keys);
        }
        const QueryBlock::PerRow highest = block.highest();
        for (std::size_t r = 0; r < positions.size(); ++r) {
            const Scalar raised = std::max(maximum[r], highest[r]);
            correction[r] = std::exp(maximum[r] - raised);
            maximum[r] = raised;
        }
        const QueryBlock::PerRow added = block.weigh(maximum);  // s becomes e^(s - m)
        for (std::size_t r = 0; r < positions.size(); ++r) {
            sum[r] = sum[r] * correction[r] + added[r];
        }
        block.scale(correction);
        block.mix(v.data() + first * v.shape(1));  // a += e^(s - m)·v
    }
    for (std::size_t r = 0; r < positions.size(); ++r) {
        correction[r] = sum[r] > 0 ? 1 / sum[r] : Scalar{0};  // 0 where nothing is seen
    }
    block.scale(correction);
}

}  // namespace
// [3.5 helpers]

Tensor<4> attend_streaming(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_streaming", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_streaming", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_streaming", q.shape(1), kv.n_kv_heads());
    // [3.5 attend_streaming]
    const std::size_t group_size = q.shape(1) / kv.n_kv_heads();
    const std::size_t rows = group_size * q.shape(2);  // G·T queries share the keys of a group
    Tensor<4> out(q.shape());                          // [B, H, T, d]
    in_parallel(q.shape(0) * kv.n_kv_heads(), [&](std::size_t group) {
        const std::size_t b = group / kv.n_kv_heads();
        const std::size_t g = group % kv.n_kv_heads();
        const ConstMatrix keys = kv.keys(b, g);      // [S, d]
        const ConstMatrix values = kv.values(b, g);  // [S, d]
        QueryBlock block(q.shape(3));
        for (std::size_t first = 0; first < rows; first += QueryBlock::max_rows) {
            std::vector<const Scalar*> queries;
            std::vector<Scalar*> outputs;
            std::vector<Position> at;
            // The queries of a block are neighbours in time, so that they see nearly the same keys.
            for (std::size_t r = first; r < std::min(first + QueryBlock::max_rows, rows); ++r) {
                const std::size_t h = g * group_size + r % group_size;
                const std::size_t t = r / group_size;
                queries.push_back(&q(b, h, t, 0));
                outputs.push_back(&out(b, h, t, 0));
                at.push_back(positions(b, t));
            }
            block.start(queries);
            stream(block, keys, values, at);
            block.copy_to(outputs);
        }
    });
    return out;
    // [3.5 attend_streaming]
}

}  // namespace workbook
