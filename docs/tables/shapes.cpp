// The tensors of each part, from input to output. Shapes are written in symbols once; elements and bytes follow.
#include <array>
#include <sstream>
#include <stdexcept>

#include "blocks.hpp"
#include "format.hpp"
#include "models.hpp"

namespace workbook::docs {

namespace {

using reference::Count;

using Symbols = std::map<std::string, Count>;

// The extents of Llama 3.1 8B with so many key/value heads, in one call.
Symbols symbols_of(Count n_kv_heads, Count q_len, Count kv_len) {
    return {{"B", 1},  {"T", q_len},        {"S", kv_len},          {"C", 8192}, {"D", 4096},
            {"H", 32}, {"Hkv", n_kv_heads}, {"G", 32 / n_kv_heads}, {"d", 128},  {"n", q_len}};
}

// "H·d" is the product of both.
Count extent_of(const std::string& axis, const Symbols& symbols) {
    Count product = 1;
    std::size_t at = 0;
    const std::string times = "·";
    while (at <= axis.size()) {
        const std::size_t end = std::min(axis.find(times, at), axis.size());
        product *= symbols.at(axis.substr(at, end - at));
        at = end + times.size();
    }
    return product;
}

Count elements_of(const std::string& shape, const Symbols& symbols) {
    Count product = 1;
    std::istringstream axes(shape);
    for (std::string axis; axes >> axis;) {
        product *= extent_of(axis, symbols);
    }
    return product;
}

std::string shape_text(const std::string& shape) {
    std::string text = "[";
    std::istringstream axes(shape);
    for (std::string axis; axes >> axis;) {
        text += (text == "[" ? "" : ", ") + axis;
    }
    return text + "]";
}

std::string numbers_text(const std::string& shape, const Symbols& symbols) {
    std::string text;
    std::istringstream axes(shape);
    for (std::string axis; axes >> axis;) {
        text += (text.empty() ? "" : " × ") + grouped(extent_of(axis, symbols));
    }
    return text;
}

struct Line {
    const char* name;
    const char* shape;  // axes with spaces between
    const char* owner;
    bool copy;  // owns elements, or shows those of another
    Count element_bytes = 2;
};

std::string table_of(const std::vector<Line>& lines, const Symbols& symbols) {
    std::vector<std::vector<std::string>> rows{{"tensor", "shape", "here", "bytes", "who owns it"}};
    for (const Line& line : lines) {
        const Count bytes = elements_of(line.shape, symbols) * line.element_bytes;
        rows.push_back({line.name, shape_text(line.shape), numbers_text(line.shape, symbols),
                        line.copy ? binary(bytes) : "0, a view of " + binary(bytes), line.owner});
    }
    std::string text = table(rows);
    // Words read better from the left.
    return text.replace(text.find("|---|---:|---:|---:|---:|"), 25, "|---|---|---|---|---|");
}

// Part 1: a prompt of 4,096 tokens, a key/value head for each query head.
std::string part1_table() {
    return table_of({{"`x`", "B T D", "the caller", true},
                     {"`wq`, `wo`", "D D", "the layer, each", true},
                     {"`wk`, `wv`", "D Hkv·d", "the layer, each", true},
                     {"`positions`", "B T", "`forward`", true, 8},
                     {"`linear(x, wq)`", "B T H·d", "`project`, until it is split", true},
                     {"`q`", "B H T d", "`Projected`", true},
                     {"`k`, `v`", "B Hkv T d", "`Projected`, each", true},
                     {"`KeyValues kv`", "B Hkv T d", "`Projected`; `kv` has pointers", false},
                     {"`view_heads(q, b, h)`", "T d", "`q`", false},
                     {"`kv.keys(b, h)`, `kv.values(b, h)`", "T d", "`k`, `v`", false},
                     {"`scores` of one head", "T T", "`attend_head`", true},
                     {"weights of one head", "T T", "`softmax_rows`", true},
                     {"output of one head", "T d", "`attend_head`", true},
                     {"`mixed`", "B H T d", "`forward`", true},
                     {"`merge_heads(mixed)`", "B T D", "`forward`", true},
                     {"output", "B T D", "the caller", true}},
                    symbols_of(32, 4096, 4096));
}

// Part 2: one token on top of 4,095.
std::string part2_table() {
    return table_of({{"`x`", "B T D", "the caller", true},
                     {"`positions`", "B T", "`forward`", true, 8},
                     {"`q`", "B H T d", "`Projected`", true},
                     {"`k`, `v`", "B Hkv T d", "`Projected`, each", true},
                     {"`cache.keys()`, `cache.values()`", "B Hkv C d", "the cache, each, for good", true},
                     {"slots written by `append`", "B Hkv n d", "the cache, in both buffers", false},
                     {"`cache.live()`", "B Hkv S d", "the cache, in both buffers", false},
                     {"`scores` of one head", "T S", "`attend_head`", true},
                     {"`mixed`", "B H T d", "`forward`", true},
                     {"output", "B T D", "the caller", true}},
                    symbols_of(32, 1, 4096));
}

// Part 3: one token on top of 4,095, groups of four.
std::string part3_table() {
    return table_of({{"`wk`, `wv`", "D Hkv·d", "the layer, each", true},
                     {"`q`", "B H T d", "`Projected`", true},
                     {"`k`, `v`", "B Hkv T d", "`Projected`, each", true},
                     {"`cache.keys()`, `cache.values()`", "B Hkv C d", "the cache, each, for good", true},
                     {"`q` with a group axis", "B Hkv G T d", "`q`: the same elements", false},
                     {"`group` = `view_heads(q, b, g·G, G)`", "G·T d", "`q`", false},
                     {"`tiled` positions", "G·T", "`attend_groups`", true, 8},
                     {"`kv.keys(b, g)`, `kv.values(b, g)`", "S d", "the cache", false},
                     {"`scores` of one group", "G·T S", "`attend_head`", true},
                     {"`out`", "B Hkv G·T d", "`attend_groups`", true},
                     {"`out` reshaped", "B H T d", "the same elements", false},
                     {"output", "B T D", "the caller", true}},
                    symbols_of(8, 1, 4096));
}

}  // namespace

Blocks shape_blocks() {
    return {{"shapes_part1", part1_table}, {"shapes_part2", part2_table}, {"shapes_part3", part3_table}};
}

}  // namespace workbook::docs
