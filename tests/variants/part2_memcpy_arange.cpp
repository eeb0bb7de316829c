// Part 2 with whole blocks of memory: append copies all new tokens of a head with one memcpy, and forward works out the
// positions where it needs them.
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

namespace workbook {

namespace {

// Copies the first `count` tokens of one head, [T, d], behind the `past` tokens of the same head of the buffer, [C, d].
void copy_tokens(const Tensor<4>& from, Tensor<4>& buffer, std::size_t b, std::size_t h, std::size_t past,
                 std::size_t count) {
    const std::size_t head_dim = buffer.shape(3);
    const std::size_t block = b * buffer.shape(1) + h;
    const Scalar* source = from.data() + block * from.shape(2) * head_dim;
    Scalar* target = buffer.data() + (block * buffer.shape(2) + past) * head_dim;
    std::memcpy(target, source, count * head_dim * sizeof(Scalar));
}

}  // namespace

// Step 2.1: append in place, and reset

void KVCache::append(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new) {
    expect_appendable(k, v, n_new);
    std::size_t longest = 0;
    for (std::size_t b = 0; b < batch(); ++b) {
        longest = std::max(longest, lengths_[b] + n_new[b]);
    }
    if (longest > max_len()) {
        throw std::length_error("append: a row would hold " + std::to_string(longest) + " tokens, the cache has " +
                                std::to_string(max_len()) + " slots per row");
    }
    for (std::size_t b = 0; b < batch(); ++b) {
        if (n_new[b] == 0) {
            continue;  // there may be no memory to copy from
        }
        for (std::size_t h = 0; h < n_kv_heads(); ++h) {
            copy_tokens(k, keys_, b, h, lengths_[b], n_new[b]);
            copy_tokens(v, values_, b, h, lengths_[b], n_new[b]);
        }
    }
    std::ranges::transform(lengths_, n_new, lengths_.begin(), std::plus<>());
}

void KVCache::reset() {
    std::ranges::fill(lengths_, std::size_t{0});
}

// Step 2.2: the positions of a call

Positions call_positions(const Lengths& past, std::size_t q_len) {
    Positions positions({past.size(), q_len});  // [B, T]
    for (std::size_t b = 0; b < past.size(); ++b) {
        xt::view(positions, b, xt::all()) =
            xt::arange<Position>(static_cast<Position>(past[b]), static_cast<Position>(past[b] + q_len));
    }
    return positions;
}

// Step 2.3: forward on top of a cache

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache) const {
    expect_forward_fits(config_, x, cache);
    const std::array<std::size_t, 2> slots{x.shape(0), x.shape(1)};  // [B, T]
    Positions positions(slots);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions.flat(i) = static_cast<Position>(cache.length(i / slots[1]) + i % slots[1]);
    }
    const auto [q, k, v] = project(x, positions);
    cache.append(k, v, Lengths(slots[0], slots[1]));
    const Tensor<4> mixed = attend(q, cache.live(), positions);  // [B, H, T, d]
    return linear(merge_heads(mixed), weights_.wo);              // [B, T, D]
}

// Step 2.4: what it costs

namespace costs {

Count cache_bytes_per_token(Count n_layers, Count n_kv_heads, Count head_dim, Count bytes_per_element) {
    const Count key_bytes = n_kv_heads * head_dim * bytes_per_element;
    const Count value_bytes = key_bytes;
    return n_layers * (key_bytes + value_bytes);
}

Count tokens_copied_by_concatenation(Count steps) {
    return tokens_projected_without_cache(steps) - steps;  // a step projects one token more than it copies
}

Count tokens_projected_without_cache(Count steps) {
    return (steps * steps + steps) / 2;
}

}  // namespace costs

// Step 2.5: a check of your own. Prompts of every length, then steps of one size; each call is compared at once.

namespace {

Tensor<3> wave(std::size_t batch, std::size_t n_tokens, std::size_t d_model) {
    Tensor<3> x({batch, n_tokens, d_model});
    double phase = 0.5;
    for (Scalar& element : x) {
        phase += std::numbers::phi;
        element = static_cast<Scalar>(2 * std::sin(phase * phase));
    }
    return x;
}

// The largest difference between tokens begin … end-1 of `expected` and the tokens of `actual`, where NaN counts as
// infinitely large.
Scalar difference(const Tensor<3>& actual, const Tensor<3>& expected, std::size_t begin) {
    Scalar largest = 0;
    for (std::size_t b = 0; b < actual.shape(0); ++b) {
        for (std::size_t t = 0; t < actual.shape(1); ++t) {
            for (std::size_t c = 0; c < actual.shape(2); ++c) {
                const Scalar here = std::abs(actual(b, t, c) - expected(b, begin + t, c));
                largest = std::isnan(here) ? std::numeric_limits<Scalar>::infinity() : std::max(largest, here);
            }
        }
    }
    return largest;
}

// Feeds chunks of these sizes until all tokens are through; returns the largest difference relative to `scale`.
Scalar worst_of(const LayerUnderTest& layer, const Tensor<3>& x, const Tensor<3>& expected, std::size_t prompt,
                std::size_t step) {
    KVCache cache(x.shape(0), layer.config.n_kv_heads, x.shape(1) + 3, layer.config.head_dim());
    std::ranges::fill(cache.keys(), Scalar{-20});
    std::ranges::fill(cache.values(), Scalar{20});
    Scalar worst = 0;
    std::size_t begin = 0;
    while (begin < x.shape(1)) {
        const std::size_t end = std::min(begin == 0 ? prompt : begin + step, x.shape(1));
        const Tensor<3> chunk = xt::view(x, xt::all(), xt::range(begin, end), xt::all());
        worst = std::max(worst, difference(layer.forward_cached(chunk, cache), expected, begin));
        begin = end;
    }
    return worst;
}

}  // namespace

bool cached_equals_uncached(const LayerUnderTest& layer) {
    constexpr std::size_t n_tokens = 9;
    const Tensor<3> x = wave(3, n_tokens, layer.config.d_model);
    const Tensor<3> expected = layer.forward(x);
    Scalar size = 0;
    for (const Scalar element : expected) {
        size = std::max(size, std::abs(element));
    }
    const Scalar allowed = size * static_cast<Scalar>(sizeof(Scalar) == 8 ? 1e-9 : 1e-3);
    for (std::size_t prompt = 1; prompt <= n_tokens; ++prompt) {
        for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
            if (worst_of(layer, x, expected, prompt, step) > allowed) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace workbook
