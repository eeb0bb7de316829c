// Part 2 in plain loops: one element at a time, one decision per line; forward reads the buffers of the cache itself.
#include "part2_kv_cache/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace workbook {

// Step 2.1: append in place, and reset

void KVCache::append(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new) {
    expect_appendable(k, v, n_new);
    // All rows are checked before the first one is written: a refused call must not leave the cache half changed.
    for (std::size_t b = 0; b < batch(); ++b) {
        const std::size_t room = max_len() - lengths_[b];
        if (n_new[b] > room) {
            throw std::length_error("append: row " + std::to_string(b) + " has room for " + std::to_string(room) +
                                    " tokens, not for " + std::to_string(n_new[b]));
        }
    }
    for (std::size_t b = 0; b < batch(); ++b) {
        const std::size_t past = lengths_[b];
        for (std::size_t h = 0; h < n_kv_heads(); ++h) {
            for (std::size_t t = 0; t < n_new[b]; ++t) {
                const std::size_t slot = past + t;
                for (std::size_t c = 0; c < head_dim(); ++c) {
                    keys_(b, h, slot, c) = k(b, h, t, c);
                    values_(b, h, slot, c) = v(b, h, t, c);
                }
            }
        }
        lengths_[b] = past + n_new[b];
    }
}

void KVCache::reset() {
    for (std::size_t b = 0; b < batch(); ++b) {
        lengths_[b] = 0;
    }
}

// Step 2.2: the positions of a call

Positions call_positions(const Lengths& past, std::size_t q_len) {
    const std::size_t batch = past.size();
    Positions positions({batch, q_len});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            positions(b, t) = static_cast<Position>(past[b] + t);
        }
    }
    return positions;
}

// Step 2.3: forward on top of a cache

namespace {

constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();

// Scaled scores of one query against kv_len keys of a head; a hidden key gets -infinity.
std::vector<Scalar> masked_scores(const Scalar* query, const Tensor<4>& keys, std::size_t b, std::size_t kv_head,
                                  std::size_t kv_len, Position position) {
    const std::size_t head_dim = keys.shape(3);
    const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(head_dim));
    std::vector<Scalar> scores(kv_len);
    for (std::size_t j = 0; j < kv_len; ++j) {
        const bool visible = static_cast<Position>(j) <= position;
        Scalar dot = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
            dot += query[c] * keys(b, kv_head, j, c);
        }
        scores[j] = visible ? dot * scale : minus_infinity;
    }
    return scores;
}

// Softmax of one query's scores, of which at least one is finite: a query always sees its own token.
std::vector<Scalar> softmax(const std::vector<Scalar>& scores) {
    Scalar largest = minus_infinity;
    for (const Scalar score : scores) {
        largest = std::max(largest, score);
    }
    std::vector<Scalar> weights(scores.size());
    Scalar total = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        weights[j] = std::exp(scores[j] - largest);
        total += weights[j];
    }
    for (Scalar& weight : weights) {
        weight /= total;
    }
    return weights;
}

}  // namespace

Tensor<3> Attention::forward(const Tensor<3>& x, KVCache& cache) const {
    expect_forward_fits(config_, x, cache);
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    const std::size_t head_dim = config_.head_dim();
    const Positions positions = call_positions(cache.lengths(), q_len);
    const Projected projected = project(x, positions);
    cache.append(projected.k, projected.v, Lengths(batch, q_len));

    Tensor<3> merged({batch, q_len, config_.d_model});
    for (std::size_t b = 0; b < batch; ++b) {
        const std::size_t kv_len = cache.length(b);
        for (std::size_t h = 0; h < config_.n_heads; ++h) {
            const std::size_t kv_head = h / config_.group_size();
            for (std::size_t t = 0; t < q_len; ++t) {
                const Scalar* query = &projected.q(b, h, t, 0);
                const Position position = positions(b, t);
                const std::vector<Scalar> scores = masked_scores(query, cache.keys(), b, kv_head, kv_len, position);
                const std::vector<Scalar> weights = softmax(scores);
                for (std::size_t c = 0; c < head_dim; ++c) {
                    Scalar sum = 0;
                    for (std::size_t j = 0; j < kv_len; ++j) {
                        sum += weights[j] * cache.values()(b, kv_head, j, c);
                    }
                    merged(b, t, h * head_dim + c) = sum;
                }
            }
        }
    }
    return linear(merged, weights_.wo);
}

// Step 2.4: what it costs

namespace costs {

Count cache_bytes_per_token(Count n_layers, Count n_kv_heads, Count head_dim, Count bytes_per_element) {
    return 2 * n_layers * n_kv_heads * head_dim * bytes_per_element;
}

Count tokens_copied_by_concatenation(Count steps) {
    Count total = 0;
    for (Count held = 0; held < steps; ++held) {
        total += held;
    }
    return total;
}

Count tokens_projected_without_cache(Count steps) {
    Count total = 0;
    for (Count held = 1; held <= steps; ++held) {
        total += held;
    }
    return total;
}

}  // namespace costs

// Step 2.5: a check of your own

namespace {

// Ordinary tokens, every one different, the same on every run.
Tensor<3> random_tokens(std::size_t batch, std::size_t n_tokens, std::size_t d_model) {
    std::mt19937 generator(11);
    std::uniform_real_distribution<double> uniform(-2.0, 2.0);
    Tensor<3> x({batch, n_tokens, d_model});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < n_tokens; ++t) {
            for (std::size_t c = 0; c < d_model; ++c) {
                x(b, t, c) = static_cast<Scalar>(uniform(generator));
            }
        }
    }
    return x;
}

// Tokens first … first + count - 1 of every row.
Tensor<3> tokens_of(const Tensor<3>& x, std::size_t first, std::size_t count) {
    Tensor<3> part({x.shape(0), count, x.shape(2)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t t = 0; t < count; ++t) {
            for (std::size_t c = 0; c < x.shape(2); ++c) {
                part(b, t, c) = x(b, first + t, c);
            }
        }
    }
    return part;
}

// An empty cache whose slots do not look harmless, so that a read beyond the live rows shows.
KVCache littered_cache(const AttentionConfig& config, std::size_t batch, std::size_t max_len) {
    KVCache cache(batch, config.n_kv_heads, max_len, config.head_dim());
    cache.keys().fill(30);
    cache.values().fill(30);
    return cache;
}

Scalar largest_magnitude(const Tensor<3>& x) {
    Scalar largest = 0;
    for (const Scalar element : x) {
        largest = std::max(largest, std::abs(element));
    }
    return largest;
}

bool same(const Tensor<3>& actual, const Tensor<3>& expected, Scalar tolerance) {
    if (actual.shape() != expected.shape()) {
        return false;
    }
    for (std::size_t b = 0; b < expected.shape(0); ++b) {
        for (std::size_t t = 0; t < expected.shape(1); ++t) {
            for (std::size_t c = 0; c < expected.shape(2); ++c) {
                const Scalar difference = std::abs(actual(b, t, c) - expected(b, t, c));
                if (!(difference <= tolerance)) {  // so written that NaN is not the same
                    return false;
                }
            }
        }
    }
    return true;
}

// Every way to cut n_tokens tokens into chunks: bit i of `cuts` says whether there is a cut behind token i.
std::vector<std::size_t> chunks_of(std::size_t cuts, std::size_t n_tokens) {
    std::vector<std::size_t> chunks{1};
    for (std::size_t i = 0; i + 1 < n_tokens; ++i) {
        const bool cut = (cuts >> i & 1U) != 0;
        if (cut) {
            chunks.push_back(1);
        } else {
            ++chunks.back();
        }
    }
    return chunks;
}

}  // namespace

bool cached_equals_uncached(const LayerUnderTest& layer) {
    const std::size_t batch = 2;
    const std::size_t n_tokens = 6;
    const std::size_t max_len = 9;
    const Tensor<3> x = random_tokens(batch, n_tokens, layer.config.d_model);
    const Tensor<3> expected = layer.forward(x);
    const auto relative = static_cast<Scalar>(sizeof(Scalar) == sizeof(double) ? 1e-9 : 1e-3);
    const Scalar tolerance = relative * largest_magnitude(expected);
    const std::size_t n_cuts = std::size_t{1} << (n_tokens - 1);
    for (std::size_t cuts = 0; cuts < n_cuts; ++cuts) {
        KVCache cache = littered_cache(layer.config, batch, max_len);
        std::size_t past = 0;
        for (const std::size_t n_new : chunks_of(cuts, n_tokens)) {
            const Tensor<3> actual = layer.forward_cached(tokens_of(x, past, n_new), cache);
            if (!same(actual, tokens_of(expected, past, n_new), tolerance)) {
                return false;
            }
            past += n_new;
        }
    }
    return true;
}

}  // namespace workbook
