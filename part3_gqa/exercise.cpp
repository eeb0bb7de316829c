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
    throw NotImplemented("3.1 kv_head_of");
}

// Step 3.2: attend in groups
//
// q [B, H, T, d] and kv with Hkv key/value heads give [B, H, T, d]: query head h reads the key/value head that your
// kv_head_of says. The same code has to be MHA (Hkv = H) and MQA (Hkv = 1). For a strong hire, keys and values are
// never repeated to H heads; the bytes that a call allocates are measured.

Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_groups_fit("attend_groups", q, kv, positions);
    throw NotImplemented("3.2 attend_groups");
}

// Step 3.3: rows of different lengths
//
// Row b brings n_new[b] valid tokens in the T slots of x; the slots behind them are padding and may hold anything.
// ragged_positions gives the absolute position of each slot, sees_nothing (-1) for padding. forward appends the valid
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

}  // namespace workbook
