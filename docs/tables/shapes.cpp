#include "docs/tables/shapes.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "app/base/text.hpp"
#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"

namespace workbook::docs {

namespace {

using reference::Count;

// The extents of one layer of Llama 3.1 8B with so many key/value heads, in one call.
Symbols symbols_of(Count n_kv_heads, Count q_len, Count kv_len) {
    return {{"B", 1},  {"T", q_len},        {"S", kv_len},          {"C", 8192}, {"D", 4096},
            {"H", 32}, {"Hkv", n_kv_heads}, {"G", 32 / n_kv_heads}, {"d", 128},  {"n", q_len}};
}

std::vector<std::string> axes_of(const std::string& shape) {
    std::vector<std::string> axes;
    std::istringstream words(shape);
    for (std::string axis; words >> axis;) {
        axes.push_back(axis);
    }
    return axes;
}

// "H·d" is the product of both.
std::size_t extent_of(const std::string& axis, const Symbols& symbols) {
    const std::string times = "·";
    std::size_t product = 1;
    std::size_t at = 0;
    while (at <= axis.size()) {
        const std::size_t end = std::min(axis.find(times, at), axis.size());
        product *= symbols.at(axis.substr(at, end - at));
        at = end + times.size();
    }
    return product;
}

const std::string unbroken = "\u00a0";  // a space that keeps both sides on one line

std::string table_of(int part, const Symbols& symbols) {
    std::vector<std::vector<std::string>> rows{{"tensor", "shape", "here", "bytes", "who owns it"}};
    for (const ShapeLine& line : shape_lines(part)) {
        Count bytes = line.element_bytes;
        std::vector<std::string> numbers;
        for (const std::size_t extent : extents_of(line.shape, symbols)) {
            bytes *= extent;
            numbers.push_back(grouped(extent));
        }
        rows.push_back({line.name, "[" + app::joined(axes_of(line.shape), "," + unbroken) + "]",
                        app::joined(numbers, unbroken + "×" + unbroken),
                        line.owns ? binary(bytes) : "0, a view of " + binary(bytes), line.owner});
    }
    return table(rows, Align::words);
}

}  // namespace

const std::vector<ShapeLine>& shape_lines(int part) {
    static const std::array<std::vector<ShapeLine>, 3> parts{
        {{{"`x`", "B T D", "the caller"},
          {"`wq`, `wo`", "D D", "the layer, each"},
          {"`wk`, `wv`", "D Hkv·d", "the layer, each"},
          {"`positions`", "B T", "`forward`", true, 8},
          {"`linear(x, wq)`", "B T H·d", "`project`, until it is split"},
          {"`q`", "B H T d", "`Projected`"},
          {"`k`, `v`", "B Hkv T d", "`Projected`, each"},
          {"`KeyValues kv`", "B Hkv S d", "`Projected`; `kv` has pointers", false},
          {"`view_heads(q, b, h)`", "T d", "`q`", false},
          {"`kv.keys(b, h)`, `kv.values(b, h)`", "S d", "`k`, `v`", false},
          {"`scores` of one head", "T S", "`attend_head`"},
          {"weights of one head", "T S", "`softmax_rows`"},
          {"output of one head", "T d", "`attend_head`"},
          {"`context`", "B H T d", "`forward`"},
          {"`merge_heads(context)`", "B T D", "`forward`"},
          {"output", "B T D", "the caller"}},
         {{"`x`", "B T D", "the caller"},
          {"`positions`", "B T", "`forward`", true, 8},
          {"`q`", "B H T d", "`Projected`"},
          {"`k`, `v`", "B Hkv T d", "`Projected`, each"},
          {"`cache.keys()`, `cache.values()`", "B Hkv C d", "the cache, each, for good"},
          {"slots written by `append`", "B Hkv n d", "the cache, in both buffers", false},
          {"`cache.live()`", "B Hkv S d", "the cache, in both buffers", false},
          {"`scores` of one head", "T S", "`attend_head`"},
          {"`context`", "B H T d", "`forward`"},
          {"output", "B T D", "the caller"}},
         {{"`wk`, `wv`", "D Hkv·d", "the layer, each"},
          {"`q`", "B H T d", "`Projected`"},
          {"`k`, `v`", "B Hkv T d", "`Projected`, each"},
          {"`cache.keys()`, `cache.values()`", "B Hkv C d", "the cache, each, for good"},
          {"`q` with a group axis", "B Hkv G T d", "`q`: the same elements", false},
          {"`group` = `view_heads(q, b, g·G, G)`", "G·T d", "`q`", false},
          {"`tiled` positions", "G·T", "`attend_groups`", true, 8},
          {"`kv.keys(b, g)`, `kv.values(b, g)`", "S d", "the cache", false},
          {"`scores` of one group", "G·T S", "`attend_head`"},
          {"`out`", "B Hkv G·T d", "`attend_groups`"},
          {"`out` reshaped", "B H T d", "the same elements", false},
          {"output", "B T D", "the caller"}}}};
    return parts.at(static_cast<std::size_t>(part - 1));
}

std::vector<std::size_t> extents_of(const std::string& shape, const Symbols& symbols) {
    std::vector<std::size_t> extents;
    for (const std::string& axis : axes_of(shape)) {
        extents.push_back(extent_of(axis, symbols));
    }
    return extents;
}

Blocks shape_blocks() {
    // A prompt of 4,096 tokens, then one token on top of 4,095; a key/value head for each query head until part 3.
    return {{"shapes_part1", [] { return table_of(1, symbols_of(32, 4096, 4096)); }},
            {"shapes_part2", [] { return table_of(2, symbols_of(32, 1, 4096)); }},
            {"shapes_part3", [] { return table_of(3, symbols_of(8, 1, 4096)); }}};
}

}  // namespace workbook::docs
