#include "follow_ups/streaming/fast/attend_fast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "follow_ups/streaming/fast/in_parallel.hpp"
#include "follow_ups/streaming/fast/query_block.hpp"
#include "part1_mha/guards.hpp"

namespace workbook::streaming {

namespace {

// Scores of keys that come later than the query, in a tile that starts with key `first`.
void hide_later_keys(QueryBlock& block, std::span<const Position> positions, std::size_t first, std::size_t n_keys) {
    for (std::size_t r = 0; r < positions.size(); ++r) {
        const auto visible = static_cast<std::size_t>(positions[r] + 1);
        for (std::size_t j = visible > first ? visible - first : 0; j < n_keys; ++j) {
            block.at(r, j) = -std::numeric_limits<Scalar>::infinity();
        }
    }
}

// Attention of a block's queries in one pass. With the maximum m of the scores s so far, the block holds
// a = Σ e^(s - m)·v, and l = Σ e^(s - m) is beside it. A tile with a higher score raises m to m'; both sums are then
// made for m' by the factor e^(m - m'). At the end, a / l is the softmax's weighted mean.
void stream(QueryBlock& block, const ConstMatrix& k, const ConstMatrix& v, std::span<const Position> positions) {
    QueryBlock::PerRow maximum{};  // m; finite from the start, so that m - m' is a number where nothing is visible
    QueryBlock::PerRow sum{};      // l
    QueryBlock::PerRow correction{};
    maximum.fill(std::numeric_limits<Scalar>::lowest());
    const auto [earliest, latest] = std::ranges::minmax(positions);
    const std::size_t visible = std::min(k.shape(0), static_cast<std::size_t>(latest + 1));
    for (std::size_t first = 0; first < visible;
         first += QueryBlock::keys_per_tile) {  // no tile beyond what is visible
        const std::size_t n_keys = std::min(QueryBlock::keys_per_tile, visible - first);
        block.score(k.data() + first * k.shape(1), n_keys);  // s = q·kᵀ / √d
        if (earliest + 1 < static_cast<Position>(first + n_keys)) {
            hide_later_keys(block, positions, first, n_keys);
        }
        const QueryBlock::PerRow highest = block.highest();
        for (std::size_t r = 0; r < positions.size(); ++r) {
            const Scalar raised = std::max(maximum[r], highest[r]);
            correction[r] = std::exp(maximum[r] - raised);
            maximum[r] = raised;
        }
        const QueryBlock::PerRow added = block.weigh(maximum);  // s becomes e^(s - m)
        for (std::size_t r = 0; r < positions.size(); ++r) {
            sum[r] = sum[r] * correction[r] + added[r];
        }
        block.scale(correction);
        block.mix(v.data() + first * v.shape(1));  // a += e^(s - m)·v
    }
    for (std::size_t r = 0; r < positions.size(); ++r) {
        correction[r] = sum[r] > 0 ? 1 / sum[r] : Scalar{0};  // 0 where nothing is visible
    }
    block.scale(correction);
}

}  // namespace

Tensor<4> attend_fast(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_groups_fit("attend_fast", q, kv, positions);
    const std::size_t group_size = q.shape(1) / kv.n_kv_heads();
    const std::size_t rows = group_size * q.shape(2);  // G·T queries share the keys of a group
    Tensor<4> out(q.shape());                          // [B, H, T, d]
    in_parallel(q.shape(0) * kv.n_kv_heads(), [&](std::size_t group) {
        const std::size_t b = group / kv.n_kv_heads();
        const std::size_t g = group % kv.n_kv_heads();
        const ConstMatrix keys = kv.keys(b, g);      // [S, d]
        const ConstMatrix values = kv.values(b, g);  // [S, d]
        QueryBlock block(q.shape(3));
        for (std::size_t first = 0; first < rows; first += QueryBlock::max_rows) {
            std::vector<const Scalar*> queries;
            std::vector<Scalar*> outputs;
            std::vector<Position> slots;
            // The queries of a block are neighbours in time, so that they see nearly the same keys.
            for (std::size_t r = first; r < std::min(first + QueryBlock::max_rows, rows); ++r) {
                const std::size_t h = g * group_size + r % group_size;
                const std::size_t t = r / group_size;
                queries.push_back(&q(b, h, t, 0));
                outputs.push_back(&out(b, h, t, 0));
                slots.push_back(positions(b, t));
            }
            block.start(queries);
            stream(block, keys, values, slots);
            block.copy_to(outputs);
        }
    });
    return out;
}

}  // namespace workbook::streaming
