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
    // [2.1 KVCache::append]
    // All rows are checked before the first one is written: a refused call must not leave the cache half changed.
    for (std::size_t b = 0; b < batch(); ++b) {
        if (n_new[b] > max_len() - lengths_[b]) {
            throw std::length_error("append: row " + std::to_string(b) + " holds " + std::to_string(lengths_[b]) +
                                    " of " + std::to_string(max_len()) + " tokens, " + std::to_string(n_new[b]) +
                                    " more do not fit");
        }
    }
    for (std::size_t b = 0; b < batch(); ++b) {
        auto slots = xt::range(lengths_[b], lengths_[b] + n_new[b]);
        auto valid = xt::range(std::size_t{0}, n_new[b]);
        for (std::size_t h = 0; h < n_kv_heads(); ++h) {  // the rows of one head lie in one block: a plain copy
            // noalias: k and v never overlap the buffers, so xtensor need not evaluate into a temporary first.
            xt::noalias(xt::view(keys_, b, h, slots)) = xt::view(k, b, h, valid);    // [n, d]
            xt::noalias(xt::view(values_, b, h, slots)) = xt::view(v, b, h, valid);  // [n, d]
        }
        lengths_[b] += n_new[b];
    }
    // [2.1 KVCache::append]
}

void KVCache::reset() {
    // [2.1 KVCache::reset]
    // What lies beyond a row's length is never read, so the old tokens need not be erased.
    lengths_.assign(batch(), 0);
    // [2.1 KVCache::reset]
}

// Step 2.2: the positions of a call
//
// Row b holds past[b] tokens and brings q_len new ones. At which absolute position does each of them sit? [B, T].

Positions call_positions(const Lengths& past, std::size_t q_len) {
    // [2.2 call_positions]
    Positions positions({past.size(), q_len});  // [B, T]
    for (std::size_t b = 0; b < past.size(); ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            positions(b, t) = static_cast<Position>(past[b] + t);
        }
    }
    return positions;
    // [2.2 call_positions]
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
    // [2.3 Attention::forward]
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    const Positions positions = call_positions(cache.lengths(), q_len);  // [B, T], before append moves the lengths

    const Projected projected = project(x, positions);
    cache.append(projected.k, projected.v, Lengths(batch, q_len));
    return output(projected.q, cache.live(), positions);
    // [2.3 Attention::forward]
}

// Step 2.4: what it costs
//
// Bytes that one token adds to the cache over all layers; the tokens that a cache growing by concatenation copies on
// its way from 0 to `steps` tokens; the tokens that are projected to generate `steps` tokens one by one without a
// cache. One line each.

namespace costs {

Count cache_bytes_per_token(Count n_layers, Count n_kv_heads, Count head_dim, Count bytes_per_element) {
    // [2.4 cache_bytes_per_token]
    return 2 * n_layers * n_kv_heads * head_dim * bytes_per_element;  // 2: a key and a value
    // [2.4 cache_bytes_per_token]
}

Count tokens_copied_by_concatenation(Count steps) {
    // [2.4 tokens_copied_by_concatenation]
    return steps == 0 ? 0 : steps * (steps - 1) / 2;  // 0 + 1 + … + (steps - 1)
    // [2.4 tokens_copied_by_concatenation]
}

Count tokens_projected_without_cache(Count steps) {
    // [2.4 tokens_projected_without_cache]
    return steps * (steps + 1) / 2;  // 1 + 2 + … + steps; with a cache it is just `steps`
    // [2.4 tokens_projected_without_cache]
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
    // [2.5 cached_equals_uncached]
    // Two rows that differ, a cache that is not full, and every kind of call: prefill, decode, chunks with T < S.
    const std::vector<std::vector<std::size_t>> cuts{{6},    {1, 1, 1, 1, 1, 1}, {3, 2, 1},
                                                     {2, 4}, {1, 3, 0, 2},       {4, 1, 1}};
    const Tensor<3> x = random_tokens(2, 6, layer.config.d_model);  // [B, 6, D]
    const Tensor<3> expected = layer.forward(x);                    // [B, 6, D]
    for (const std::vector<std::size_t>& chunks : cuts) {
        KVCache cache = poisoned_cache(layer.config, 2, 8);
        std::size_t begin = 0;
        for (const std::size_t n : chunks) {
            auto tokens = xt::range(begin, begin + n);
            const Tensor<3> y = layer.forward_cached(xt::view(x, xt::all(), tokens), cache);  // [B, n, D]
            if (!equal_up_to_rounding(y, xt::view(expected, xt::all(), tokens), expected)) {
                return false;
            }
            begin += n;
        }
    }
    return true;
    // [2.5 cached_equals_uncached]
}

}  // namespace workbook
