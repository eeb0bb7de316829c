// What KVCache holds, slot by slot: tokens carry their own numbers.
#include <fmt/format.h>

#include "docs/figures/figures.hpp"
#include "docs/figures/grid.hpp"
#include "docs/figures/small_cases.hpp"
#include "part2_kv_cache/kv_cache.hpp"

namespace workbook::figures {

namespace {

// Tokens of a call, [B, Hkv, T, 1]: each holds the number of its row and its number in the row.
Tensor<4> tokens(const Lengths& past, const Lengths& n_new, std::size_t q_len) {
    Tensor<4> k({past.size(), SmallCache::n_kv_heads, q_len, 1});
    k.fill(-1);  // padding
    for (std::size_t b = 0; b < past.size(); ++b) {
        for (std::size_t g = 0; g < SmallCache::n_kv_heads; ++g) {
            for (std::size_t t = 0; t < n_new[b]; ++t) {
                k(b, g, t, 0) = static_cast<Scalar>(100 * b + past[b] + t);
            }
        }
    }
    return k;
}

Point draw_cache(Svg& svg, Point corner, const std::string& title, const KVCache& cache, const Lengths& past) {
    std::vector<std::vector<Labelled>> rows;
    std::vector<std::string> labels;
    for (std::size_t b = 0; b < cache.batch(); ++b) {
        for (std::size_t g = 0; g < SmallCache::n_kv_heads; ++g) {
            labels.push_back(fmt::format("row {} kv {}", b, g));
            rows.emplace_back();
            for (std::size_t slot = 0; slot < SmallCache::max_len; ++slot) {
                const bool live = slot < cache.length(b);
                const auto token = static_cast<std::size_t>(cache.keys()(b, g, slot, 0)) % 100;
                rows.back().push_back(live ? Labelled{std::to_string(token), slot < past[b] ? "c0" : "c2"}
                                           : Labelled{});
            }
        }
    }
    return draw(svg, corner, title, labels, rows);
}

Svg cache_append_figure() {
    Svg svg(
        "cache_append", "The buffer of keys before and after an append",
        "A buffer of two rows, two key/value heads each, and six slots each. Before: row 0 holds tokens 0 to 2, row 1 "
        "holds token 0. An append of two tokens to row 0 and one to row 1 writes tokens 3 and 4 behind the three of "
        "row 0, and token 1 behind the one of row 1, in both heads. Nothing else changes, and nothing "
        "moves.");
    KVCache cache(2, SmallCache::n_kv_heads, SmallCache::max_len, 1);
    const Lengths first{3, 1};
    const Tensor<4> k = tokens({0, 0}, first, 3);
    cache.append(k, k, first);
    const Point taken = draw_cache(svg, {0, 0}, "before: lengths 3, 1", cache, cache.lengths());
    const Lengths past = cache.lengths();
    const Lengths second{2, 1};
    const Tensor<4> more = tokens(past, second, 2);
    cache.append(more, more, second);
    draw_cache(svg, {0, taken.y + 14}, "after append of 2 and 1: lengths 5, 2", cache, past);
    return svg;
}

}  // namespace

std::vector<Svg> cache_figures() {
    return {cache_append_figure()};
}

}  // namespace workbook::figures
