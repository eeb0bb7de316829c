// Split and merge on input that holds its own numbers, and the head map of kv_head_of.
#include <fmt/format.h>

#include <numeric>

#include "docs/figures/figures.hpp"
#include "docs/figures/grid.hpp"
#include "docs/figures/head_map.hpp"
#include "docs/figures/small_cases.hpp"
#include "part1_mha/attention.hpp"

namespace workbook::figures {

namespace {

constexpr std::size_t q_len = 3;

// A square with the number of an element of x, coloured by the head that it belongs to.
Labelled numbered(Scalar value) {
    const auto number = static_cast<std::size_t>(value);
    return {std::to_string(number), colour(number % SmallSplit::d_model / SmallSplit::head_dim)};
}

Svg split_heads_figure() {
    Svg svg(
        "split_heads", "Which element goes where when heads are split",
        "The input x has three tokens of four numbers, 0 to 11, row by row. Its first two columns belong to head 0, "
        "the last two to head 1. split_heads gives head 0 the numbers 0, 1, 4, 5, 8, 9 and head 1 the numbers 2, 3, "
        "6, 7, 10, 11, each as three tokens of two. In memory x lies in the order 0 to 11; the heads lie in the order "
        "0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11. merge_heads goes back.");
    Tensor<3> x({1, q_len, SmallSplit::d_model});
    std::iota(x.begin(), x.end(), Scalar{0});
    const Tensor<4> split = split_heads(x, SmallSplit::heads);
    std::vector<std::vector<Labelled>> tokens(q_len);
    std::vector<std::string> labels;
    for (std::size_t t = 0; t < q_len; ++t) {
        labels.push_back(fmt::format("t {}", t));
        for (std::size_t c = 0; c < SmallSplit::d_model; ++c) {
            tokens[t].push_back(numbered(x(0, t, c)));
        }
    }
    Point at{0, 0};
    at.x += draw(svg, at, "x [T, H·d]", labels, tokens).x + 40;
    for (std::size_t h = 0; h < SmallSplit::heads; ++h) {
        std::vector<std::vector<Labelled>> of_head(q_len);
        for (std::size_t t = 0; t < q_len; ++t) {
            for (std::size_t c = 0; c < SmallSplit::head_dim; ++c) {
                of_head[t].push_back(numbered(split(0, h, t, c)));
            }
        }
        draw(svg, at, fmt::format("head {}", h), {}, of_head);
        at.x += 70;
    }
    std::vector<std::vector<Labelled>> memory(2);
    for (const Scalar value : x) {
        memory[0].push_back(numbered(value));
    }
    for (const Scalar value : split) {
        memory[1].push_back(numbered(value));
    }
    draw(svg, {0, 90}, "in memory", {"x", "split"}, memory);
    return svg;
}

Svg head_maps_figure() {
    Svg svg(
        "head_maps", "Which key/value head each query head reads",
        "Six query heads above, key/value heads below, joined by lines. Multi-head attention has six key/value heads, "
        "one for each query head. Grouped-query attention has three here: query heads 0 and 1 read key/value head 0, "
        "2 and 3 read head 1, 4 and 5 read head 2. Multi-query attention has one, which all six read.");
    const std::vector<std::pair<const char*, std::size_t>> maps{
        {"MHA: Hkv = H = 6", 6}, {"GQA: Hkv = 3, G = 2", 3}, {"MQA: Hkv = 1, G = 6", 1}};
    int y = 0;
    for (const auto& [title, n_kv_heads] : maps) {
        std::vector<std::size_t> map;
        for (std::size_t h = 0; h < 6; ++h) {
            map.push_back(kv_head_of(h, 6, n_kv_heads));
        }
        y += draw_head_map(svg, {0, y}, title, map, n_kv_heads).y + 12;
    }
    return svg;
}

}  // namespace

std::vector<Svg> head_figures() {
    return {split_heads_figure(), head_maps_figure()};
}

}  // namespace workbook::figures
