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
    throw NotImplemented("3.1 kv_head_of");
}

// Step 3.2: attend in groups
//
// q [B, H, T, d] and kv with Hkv key/value heads give [B, H, T, d]. The same code has to be MHA (Hkv = H) and MQA (Hkv
// = 1). For a strong hire, keys and values are never repeated to H heads; the bytes that a call allocates are measured.

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_groups", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_groups", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_groups", q.shape(1), kv.n_kv_heads());
    throw NotImplemented("3.2 attend_groups");
}

// Step 3.3: rows of different lengths
//
// Row b brings n_new[b] real tokens in the T slots of x; the slots behind them are padding and may hold anything.
// ragged_positions gives the absolute position of each slot, sees_nothing (-1) for padding. forward appends the real
// tokens only, and the output of a padded slot is zeros. A row may bring no token at all.

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    expect_count("ragged_positions", "n_new", n_new.size(), past.size());
    throw NotImplemented("3.3 ragged_positions");
}

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const {
    expect_forward_fits(config_, x, cache, n_new);
    throw NotImplemented("3.3 Attention::forward");
}

// Step 3.4: what it costs
//
// Multiply-adds of the four projections when wk and wv are [D, Hkv·d]; bytes of the cache if it were expanded to H
// heads; and the floating-point operations of scores and mixing that decode does per byte it reads from the cache (a
// multiply-add is two operations). One or two lines each.

namespace costs {

Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model, Count n_kv_heads, Count head_dim) {
    throw NotImplemented("3.4 grouped_projection_multiply_adds");
}

Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim, Count bytes_per_element) {
    throw NotImplemented("3.4 expanded_cache_bytes");
}

double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads, Count bytes_per_element) {
    throw NotImplemented("3.4 decode_flops_per_cache_byte");
}

}  // namespace costs

// Step 3.5: streaming attention (bonus)
//
// No verdict needs this step; it is the usual follow-up question. Give what attend_groups gives without ever storing a
// score for every key: walk over the keys and values of a head once, a tile of them at a time, and keep for each query
// a running maximum, a running sum and an output that is not divided yet. What a call allocates must not grow with the
// number of keys, and tiles that no query sees are skipped. A layer uses this step when its configuration says
// `streaming`. query_block.hpp and in_parallel.hpp have given code that makes it fast; matmul does as well.

Tensor<4> attend_streaming(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_streaming", "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape("attend_streaming", "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups("attend_streaming", q.shape(1), kv.n_kv_heads());
    throw NotImplemented("3.5 attend_streaming");
}

}  // namespace workbook
