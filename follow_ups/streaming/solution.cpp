// Follow-up: streaming attention, in one step.
//
// exercise.cpp leaves the body of the step to you; solution.cpp is the same file with the worked body. streaming.hpp
// says what the function takes and returns; everything of parts 1 to 3 may be used. A first line expect_… is given: it
// refuses bad input. Helper functions of your own go into `namespace { … }`, so that they stay in this file. Stuck?
// hints.md has three hints.
#include "follow_ups/streaming/streaming.hpp"
#include "part1_mha/guards.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook::streaming {

// Step streaming.1: attention over tiles of keys
//
// Give what attend_groups gives without ever storing a score for every key: walk over the keys and values of a head
// once, a tile of them at a time, and keep for each query a running maximum, a running sum and an output that is not
// divided yet. What a call allocates must not grow with the number of keys, and tiles that no query sees are skipped.

// [streaming.1 helpers]
namespace {

constexpr std::size_t tile = 64;  // keys; their scores stay in the processor's cache

// Scores of the keys first … first + n_keys - 1, those that come later than the query hidden: [R, n].
Matrix tile_scores(const ConstMatrix& q, const ConstMatrix& keys, std::size_t first,
                   const std::vector<Position>& positions) {
    Matrix scores = matmul_transposed(q, keys);
    scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (static_cast<Position>(first + j) > positions[r]) {
                scores(r, j) = -std::numeric_limits<Scalar>::infinity();
            }
        }
    }
    return scores;
}

// One head's attention in one pass: [R, d]. With the maximum m of a row's scores s so far, context holds Σ e^(s - m)·v
// and sum Σ e^(s - m). A tile with a higher score raises m to m'; both become sums for m' by the factor e^(m - m').
Matrix stream_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   const std::vector<Position>& positions) {
    const std::size_t head_dim = q.shape(1);
    const Position latest = positions.empty() ? sees_nothing : std::ranges::max(positions);
    const std::size_t visible = std::min(k.shape(0), static_cast<std::size_t>(latest + 1));  // no tile beyond
    Matrix context = xt::zeros<Scalar>({q.shape(0), head_dim});
    // The maximum is finite from the start, so that m - m' is a number where nothing is visible.
    std::vector<Scalar> maximum(q.shape(0), std::numeric_limits<Scalar>::lowest());
    std::vector<Scalar> sum(q.shape(0), 0);
    for (std::size_t first = 0; first < visible; first += tile) {
        const std::size_t n_keys = std::min(tile, visible - first);
        Matrix scores = tile_scores(q, view_matrix(k.data() + first * head_dim, n_keys, head_dim), first, positions);
        for (std::size_t r = 0; r < q.shape(0); ++r) {
            auto row = xt::view(scores, r);
            const Scalar raised = std::max(maximum[r], xt::amax(row)());
            const Scalar correction = std::exp(maximum[r] - raised);
            row = xt::exp(row - raised);
            sum[r] = sum[r] * correction + xt::sum(row)();
            xt::view(context, r) *= correction;
            maximum[r] = raised;
        }
        context += matmul(scores, view_matrix(v.data() + first * head_dim, n_keys, head_dim));
    }
    for (std::size_t r = 0; r < q.shape(0); ++r) {
        xt::view(context, r) /= sum[r] > 0 ? sum[r] : 1;  // zeros stay zeros where nothing is visible
    }
    return context;
}

}  // namespace
// [streaming.1 helpers]

Tensor<4> attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_groups_fit("streaming::attend", q, kv, positions);
    // [streaming.1 attend]
    const std::size_t n_heads = q.shape(1);
    const std::size_t q_len = q.shape(2);
    const std::size_t group_size = n_heads / kv.n_kv_heads();
    Tensor<4> out({q.shape(0), kv.n_kv_heads(), group_size * q_len, q.shape(3)});  // [B, Hkv, G·T, d]
    std::vector<Position> tiled(group_size * q_len);                               // [G·T]
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t i = 0; i < tiled.size(); ++i) {
            tiled[i] = positions(b, i % q_len);
        }
        for (std::size_t g = 0; g < kv.n_kv_heads(); ++g) {
            const std::size_t h = g * group_size;
            const std::size_t kv_head = kv_head_of(h, n_heads, kv.n_kv_heads());
            xt::view(out, b, g) = stream_head(view_heads(q, b, h, group_size), kv.keys(b, kv_head),
                                              kv.values(b, kv_head), tiled);  // [G·T, d]
        }
    }
    out.reshape(q.shape());
    return out;
    // [streaming.1 attend]
}

}  // namespace workbook::streaming
