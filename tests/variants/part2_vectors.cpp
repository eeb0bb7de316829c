// Part 2 with forward on top of std::vector: loops over the live rows of the cache that call attend_head for every head
// when each query head has its own key/value head, and leave groups to attend.
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace workbook {

// Step 2.1: append in place, and reset

void KVCache::append(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new) {
    expect_appendable(k, v, n_new);
    for (std::size_t b = batch(); b-- > 0;) {
        if (lengths_[b] + n_new[b] > max_len()) {
            throw std::length_error("append: the cache is full in row " + std::to_string(b));
        }
    }
    for (std::size_t h = 0; h < n_kv_heads(); ++h) {
        for (std::size_t b = 0; b < batch(); ++b) {
            for (std::size_t t = 0; t < n_new[b]; ++t) {
                std::copy_n(&k(b, h, t, 0), head_dim(), &keys_(b, h, lengths_[b] + t, 0));
                std::copy_n(&v(b, h, t, 0), head_dim(), &values_(b, h, lengths_[b] + t, 0));
            }
        }
    }
    for (std::size_t b = 0; b < batch(); ++b) {  // only now: every head of a row starts at the same slot
        lengths_[b] += n_new[b];
    }
}

void KVCache::reset() {
    lengths_ = Lengths(batch());
}

// Step 2.2: the positions of a call

Positions call_positions(const Lengths& past, std::size_t q_len) {
    auto positions = Positions::from_shape({past.size(), q_len});  // [B, T]
    Position* next = positions.data();
    for (const std::size_t length : past) {
        std::iota(next, next + q_len, static_cast<Position>(length));
        next += q_len;
    }
    return positions;
}

// Step 2.3: forward on top of a cache

namespace {

// Attention of one batch row whose query heads have a key/value head each: [T, H·d], token after token.
std::vector<Scalar> attend_row(const Tensor<4>& q, const KeyValues& kv, std::size_t b, std::size_t past) {
    const std::size_t n_heads = q.shape(1);
    const std::size_t q_len = q.shape(2);
    const std::size_t head_dim = q.shape(3);
    std::vector<Position> positions(q_len);
    std::iota(positions.begin(), positions.end(), static_cast<Position>(past));
    std::vector<Scalar> merged(q_len * n_heads * head_dim);
    for (std::size_t h = 0; h < n_heads; ++h) {
        const Matrix mixed = attend_head(view_heads(q, b, h), kv.keys(b, h), kv.values(b, h), positions);  // [T, d]
        for (std::size_t t = 0; t < q_len; ++t) {
            for (std::size_t c = 0; c < head_dim; ++c) {
                merged[(t * n_heads + h) * head_dim + c] = mixed(t, c);
            }
        }
    }
    return merged;
}

}  // namespace

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache) const {
    expect_forward_fits(config_, x, cache);
    const Lengths past = cache.lengths();
    const Positions positions = call_positions(past, x.shape(1));
    const Projected projected = project(x, positions);
    const Lengths n_new(x.shape(0), x.shape(1));
    cache.append(projected.k, projected.v, n_new);
    const KeyValues live = cache.live();
    if (config_.group_size() > 1) {
        return linear(merge_heads(attend(projected.q, live, positions)), weights_.wo);
    }
    std::vector<Scalar> merged;
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        const std::vector<Scalar> row = attend_row(projected.q, live, b, past[b]);
        merged.insert(merged.end(), row.begin(), row.end());
    }
    const Matrix y = matmul(view_matrix(merged.data(), x.shape(0) * x.shape(1), config_.d_model), weights_.wo);
    Tensor<3> out(x.shape());  // [B, T, D]
    std::copy(y.begin(), y.end(), out.begin());
    return out;
}

// Step 2.4: what it costs, by sums that pair the first step with the last

namespace costs {

Count cache_bytes_per_token(Count n_layers, Count n_kv_heads, Count head_dim, Count bytes_per_element) {
    Count bytes = 0;
    for (Count layer = 0; layer < n_layers; ++layer) {
        bytes += n_kv_heads * head_dim * (bytes_per_element + bytes_per_element);
    }
    return bytes;
}

Count tokens_copied_by_concatenation(Count steps) {
    if (steps < 2) {
        return 0;
    }
    return steps % 2 == 0 ? steps / 2 * (steps - 1) : (steps - 1) / 2 * steps;
}

Count tokens_projected_without_cache(Count steps) {
    return tokens_copied_by_concatenation(steps + 1);
}

}  // namespace costs

// Step 2.5: a check of your own. It feeds everything first, gathers what came, and compares at the end, by the root of
// the mean square of each token.

namespace {

Tensor<3> gathered(const LayerUnderTest& layer, const Tensor<3>& x, const std::vector<std::size_t>& ends) {
    KVCache cache(x.shape(0), layer.config.n_kv_heads, 2 * x.shape(1), layer.config.head_dim());
    Scalar litter = 40;
    for (std::size_t i = 0; i < cache.keys().size(); ++i) {
        cache.keys().flat(i) = litter;
        cache.values().flat(i) = std::abs(litter);
        litter = -litter;
    }
    Tensor<3> all = xt::zeros<Scalar>(x.shape());
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        auto chunk = xt::range(begin, end);
        xt::view(all, xt::all(), chunk) = layer.forward_cached(xt::view(x, xt::all(), chunk), cache);
        begin = end;
    }
    return all;
}

// The root of the mean square of one row and token.
Scalar size_of(const Tensor<3>& y, std::size_t b, std::size_t t) {
    Scalar squares = 0;
    for (std::size_t c = 0; c < y.shape(2); ++c) {
        squares += y(b, t, c) * y(b, t, c);
    }
    return std::sqrt(squares / static_cast<Scalar>(y.shape(2)));
}

bool alike(const Tensor<3>& actual, const Tensor<3>& expected) {
    const Tensor<3> difference = actual - expected;
    Scalar largest_size = 0;
    Scalar largest_error = 0;
    for (std::size_t b = 0; b < expected.shape(0); ++b) {
        for (std::size_t t = 0; t < expected.shape(1); ++t) {
            const Scalar error = size_of(difference, b, t);
            if (!std::isfinite(error)) {
                return false;
            }
            largest_error = std::max(largest_error, error);
            largest_size = std::max(largest_size, size_of(expected, b, t));
        }
    }
    return largest_error <= largest_size * static_cast<Scalar>(std::is_same_v<Scalar, float> ? 1e-3 : 1e-9);
}

}  // namespace

bool cached_equals_uncached(const LayerUnderTest& layer) {
    std::minstd_rand generator(5);
    std::normal_distribution<double> normal(0.0, 1.5);
    Tensor<3> x({4, 12, layer.config.d_model});
    std::generate(x.begin(), x.end(), [&] { return static_cast<Scalar>(normal(generator)); });
    const Tensor<3> expected = layer.forward(x);
    const std::vector<std::vector<std::size_t>> cuts{
        {12}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {5, 5, 6, 12}, {2, 9, 10, 12}, {7, 8, 11, 11, 12}};
    return std::all_of(cuts.begin(), cuts.end(),
                       [&](const std::vector<std::size_t>& ends) { return alike(gathered(layer, x, ends), expected); });
}

}  // namespace workbook
