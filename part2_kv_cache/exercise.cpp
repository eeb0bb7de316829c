// Part 2: a preallocated KV cache, in five steps.
//
// exercise.cpp leaves the body of every step to you; solution.cpp is the same file with worked bodies. kv_cache.hpp and
// attention.hpp say what each function takes and returns. A first line expect_… is given: it refuses bad input.
// Helper functions of your own go into `namespace { … }`, so that they stay in this file. Stuck? hints.md has three
// hints per step.
#include "part2_kv_cache/kv_cache.hpp"
#include "part2_kv_cache/own_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace workbook {

// Step 2.1: append in place, and reset
//
// The buffers keys_ and values_ are [B, Hkv, C, d]; row b holds lengths_[b] tokens. append adds the first n_new[b]
// tokens of k and v [B, Hkv, T, d] to row b, for every row, and the length grows with them. If any row would exceed
// max_len(), throw std::length_error; then no row, length or slot has changed. reset empties every row; the buffers
// stay.

void KVCache::append(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new) {
    expect_appendable(k, v, n_new);
    throw NotImplemented("2.1 KVCache::append");
}

void KVCache::reset() {
    throw NotImplemented("2.1 KVCache::reset");
}

// Step 2.2: the positions of a call
//
// Row b holds past[b] tokens and brings q_len new ones. At which absolute position does each of them sit? [B, T].

Positions call_positions(const Lengths& past, std::size_t q_len) {
    throw NotImplemented("2.2 call_positions");
}

// Step 2.3: forward on top of a cache
//
// x [B, T, D] holds the T new tokens of every row: a whole prompt, one token, or a chunk. They come after what the
// cache holds, see it and themselves, and the cache holds them too afterwards. Nothing that was processed before is
// projected again. cache.live() is a view of the live rows, and `attend` takes any number of key/value heads. Too many
// tokens: the std::length_error of append. (`Lengths(batch, n)` is n for every row; with braces it would be a list of
// two.)

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache) const {
    expect_forward_fits(config_, x, cache);
    throw NotImplemented("2.3 Attention::forward");
}

// Step 2.4: what it costs
//
// Bytes that one token adds to the cache over all layers; the tokens that a cache growing by concatenation copies on
// its way from 0 to `steps` tokens; the tokens that are projected to generate `steps` tokens one by one without a
// cache. One line each.

namespace costs {

Count cache_bytes_per_token(Count n_layers, Count n_kv_heads, Count head_dim, Count bytes_per_element) {
    throw NotImplemented("2.4 cache_bytes_per_token");
}

Count tokens_copied_by_concatenation(Count steps) {
    throw NotImplemented("2.4 tokens_copied_by_concatenation");
}

Count tokens_projected_without_cache(Count steps) {
    throw NotImplemented("2.4 tokens_projected_without_cache");
}

}  // namespace costs

// Step 2.5: a check of your own
//
// An interviewer asks: "how would you test this?" You get a layer that may be wrong. Return whether its cached forward
// gives what its uncached forward gives, however a sequence is cut into chunks. The layer's extents are in
// layer.config. own_check.hpp has random_tokens, poisoned_cache (whose free slots hold large numbers) and
// equal_up_to_rounding for you. Wrong layers go wrong for some chunks, rows or cache contents; two rows of six ordinary
// tokens, cut and fed in the right ways, are enough to show every mistake.

bool cached_equals_uncached(const LayerUnderTest& layer) {
    throw NotImplemented("2.5 cached_equals_uncached");
}

}  // namespace workbook
