#include "reference/mistakes/models/sight.hpp"

#include <cmath>
#include <limits>

namespace workbook::mistakes {

namespace {

Matrix zero_matrix(std::size_t rows, std::size_t cols) {
    Matrix matrix({rows, cols});
    matrix.fill(Scalar{0});
    return matrix;
}

// A layer whose queries and keys are all 0, so that keys that count get equal weights, and whose values are its input.
// There are two channels for each slot: for the token that belongs there, and for the slot nobody has written to.
Layer probe_layer(const CachedCall& call) {
    const std::size_t channels = 2 * call.max_len;
    Layer layer{{channels * call.n_heads, call.n_heads, call.n_kv_heads}, {}, call.window};
    layer.weights.wq = zero_matrix(channels, call.n_heads * channels);
    layer.weights.wk = zero_matrix(channels, call.n_kv_heads * channels);
    layer.weights.wv = layer.weights.wk;
    for (std::size_t i = 0; i < call.n_kv_heads * channels; ++i) {
        layer.weights.wv(i % channels, i) = 1;
    }
    return layer;
}

// New tokens that say where they belong.
Array<3> probe_tokens(const CachedCall& call) {
    Array<3> x({call.past.size(), call.q_len, 2 * call.max_len});
    x.fill(0);
    for (std::size_t b = 0; b < call.past.size(); ++b) {
        for (std::size_t t = 0; t < call.q_len; ++t) {
            x(b, t, call.past[b] + t) = 1;
        }
    }
    return x;
}

CacheState probe_cache(const CachedCall& call, double unwritten) {
    CacheState cache;
    cache.keys.resize({call.past.size(), call.n_kv_heads, call.max_len, 2 * call.max_len});
    cache.keys.fill(0);
    cache.values = cache.keys;
    for (std::size_t b = 0; b < call.past.size(); ++b) {
        for (std::size_t i = 0; i < call.n_kv_heads * call.max_len; ++i) {
            const std::size_t slot = i % call.max_len;
            const bool is_live = slot < call.past[b];
            cache.values(b, i / call.max_len, slot, is_live ? slot : call.max_len + slot) = is_live ? 1 : unwritten;
        }
    }
    cache.lengths = call.past;
    return cache;
}

// The weights, or NaN where one of 0 meets an unwritten slot: [B, T, H·2C]. What is done to the outputs of attention is
// no sight.
Array<3> probe(const CachedCall& call, Decisions decisions, double unwritten) {
    decisions.weights = Weights::wo_missing;
    decisions.residual = Residual::none;
    decisions.padded_output = PaddedOutput::zeros;
    CacheState cache = probe_cache(call, unwritten);
    return forward(probe_layer(call), probe_tokens(call), cache, call.n_new, decisions);
}

}  // namespace

std::vector<std::vector<std::vector<Sight>>> sights(const CachedCall& call, const Decisions& decisions) {
    const Array<3> weights = probe(call, decisions, 1);
    const Array<3> with_nan = probe(call, decisions, std::numeric_limits<double>::quiet_NaN());
    const std::size_t channels = 2 * call.max_len;
    std::vector result(call.past.size(), std::vector(call.n_heads, std::vector(call.q_len, Sight{})));
    for (std::size_t b = 0; b < call.past.size(); ++b) {
        for (std::size_t i = 0; i < call.n_heads * call.q_len * channels; ++i) {
            const std::size_t h = i / (call.q_len * channels);
            const std::size_t t = i / channels % call.q_len;
            const std::size_t c = i % channels;
            const std::size_t column = h * channels + c;
            const char mark = weights(b, t, column) > 0 ? '#' : std::isnan(with_nan(b, t, column)) ? '!' : '.';
            Sight& sight = result[b][h][t];
            (c < call.max_len ? sight.tokens : sight.slots) += mark;
        }
    }
    return result;
}

std::vector<HeadReads> head_reads(std::size_t n_heads, std::size_t n_kv_heads, const Decisions& decisions) {
    // One token with one channel, whose value in head g is g + 1.
    Decisions mapping;
    mapping.head_map = decisions.head_map;
    mapping.value_head = decisions.value_head;
    Array<4> q({1, n_heads, 1, 1});
    q.fill(0);
    KeyRows rows;
    rows.k.resize({1, n_kv_heads, 1, 1});
    rows.k.fill(0);
    rows.v = rows.k;
    for (std::size_t g = 0; g < n_kv_heads; ++g) {
        rows.v(0, g, 0, 0) = static_cast<double>(g + 1);
    }
    rows.lengths = {1};
    const Array<4> out = attend(q, rows, reference::positions_from_zero(1, 1), mapping);
    std::vector<HeadReads> reads(n_heads);
    for (std::size_t h = 0; h < n_heads; ++h) {
        reads[h] = {kv_head_of(h, n_heads, n_kv_heads, mapping), static_cast<std::size_t>(out(0, h, 0, 0)) - 1};
    }
    return reads;
}

}  // namespace workbook::mistakes
