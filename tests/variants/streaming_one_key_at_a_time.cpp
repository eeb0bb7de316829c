// Streaming attention in plain loops: a tile is one key.
#include "follow_ups/streaming/streaming.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook::streaming {

// Step streaming.1: attention over tiles of keys

namespace {

constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();

// One query: its mean so far is put right whenever the highest score rises.
void stream_query(const Scalar* query, const ConstMatrix& keys, const ConstMatrix& values, Position position,
                  Scalar* mean) {
    const std::size_t head_dim = keys.shape(1);
    const std::size_t visible = std::min(keys.shape(0), static_cast<std::size_t>(position + 1));
    Scalar largest = minus_infinity;
    Scalar total = 0;
    for (std::size_t j = 0; j < visible; ++j) {
        Scalar score = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
            score += query[c] * keys(j, c);
        }
        score /= std::sqrt(static_cast<Scalar>(head_dim));
        const Scalar raised = std::max(largest, score);
        const Scalar kept = total * std::exp(largest - raised);
        const Scalar added = std::exp(score - raised);
        total = kept + added;
        for (std::size_t c = 0; c < head_dim; ++c) {
            mean[c] = (mean[c] * kept + values(j, c) * added) / total;
        }
        largest = raised;
    }
}

}  // namespace

Tensor<4> attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    Tensor<4> out = xt::zeros<Scalar>(q.shape());
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            const std::size_t g = kv_head_of(h, q.shape(1), kv.n_kv_heads());
            for (std::size_t t = 0; t < q.shape(2); ++t) {
                stream_query(&q(b, h, t, 0), kv.keys(b, g), kv.values(b, g), positions(b, t), &out(b, h, t, 0));
            }
        }
    }
    return out;
}

}  // namespace workbook::streaming
