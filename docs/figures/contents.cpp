#include "docs/figures/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "docs/figures/grid.hpp"
#include "docs/figures/small_cases.hpp"
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::figures {

namespace {

using mistakes::Array;
using Table = std::vector<std::vector<Labelled>>;

// --- Heads ---------------------------------------------------------------------------------------------------------

Array<3> numbered_input(std::size_t batch, std::size_t q_len) {
    Array<3> x({batch, q_len, SmallSplit::d_model});
    std::iota(x.begin(), x.end(), 0.0);
    return x;
}

Table table_of(const double* data, std::size_t size, std::size_t width) {
    Table table;
    for (std::size_t i = 0; i < size; ++i) {
        if (i % width == 0) {
            table.emplace_back();
        }
        const auto number = static_cast<std::size_t>(data[i]);
        table.back().push_back({std::to_string(number), colour(number % SmallSplit::d_model / SmallSplit::head_dim)});
    }
    return table;
}

std::vector<std::string> split_labels(std::size_t batch, std::size_t q_len) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < batch * SmallSplit::heads * q_len; ++i) {
        const std::string row = batch == 1 ? "" : fmt::format("b{} ", i / q_len / SmallSplit::heads);
        labels.push_back(fmt::format("{}h{} t{}", row, i / q_len % SmallSplit::heads, i % q_len));
    }
    return labels;
}

std::vector<std::string> merged_labels(std::size_t batch, std::size_t q_len) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < batch * q_len; ++i) {
        labels.push_back(batch == 1 ? fmt::format("t{}", i) : fmt::format("b{} t{}", i / q_len, i % q_len));
    }
    return labels;
}

template <class Tensor>
Svg side_by_side(Svg svg, const std::vector<std::string>& labels, const Tensor& right, const Tensor& wrong,
                 std::size_t width) {
    const Point taken = draw(svg, {0, 0}, "right", labels, table_of(right.data(), right.size(), width));
    draw(svg, {taken.x + 30, 0}, "with the mistake", labels, table_of(wrong.data(), wrong.size(), width));
    svg.caption("Numbers are those of the input's elements in memory, colours its heads.");
    return svg;
}

std::optional<Svg> layout_of(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions, std::size_t batch,
                             std::size_t q_len) {
    const Array<3> x = numbered_input(batch, q_len);
    const Tensor<3> input = xt::cast<Scalar>(x);
    const Tensor<4> split = split_heads(input, SmallSplit::heads);
    const Array<4> wrong_split = mistakes::split_heads(x, SmallSplit::heads, decisions);
    if (!std::ranges::equal(split, wrong_split)) {
        return side_by_side(picture_of(mistake, "What split_heads gives for an input that holds its own numbers."),
                            split_labels(batch, q_len), reference::to_double(split), wrong_split, SmallSplit::head_dim);
    }
    const Array<3> wrong = mistakes::merge_heads(reference::to_double(split), decisions);
    if (!std::ranges::equal(input, wrong)) {
        return side_by_side(picture_of(mistake,
                                       "What merge_heads gives for heads of an input that holds its own "
                                       "numbers."),
                            merged_labels(batch, q_len), x, wrong, SmallSplit::d_model);
    }
    return std::nullopt;
}

// --- Cache ---------------------------------------------------------------------------------------------------------

constexpr int slot_size = 18;
constexpr double unwritten = -1;
constexpr double padding = -2;

// Appends, or a reset where a call has no counts.
using Calls = std::vector<Lengths>;

// The number of the token in its row; 100 more for each row before it.
Array<4> tokens_of(const Lengths& past, const Lengths& n_new, double value_mark) {
    Array<4> k({past.size(), SmallCache::n_kv_heads, *std::ranges::max_element(n_new), 1});
    k.fill(padding);
    for (std::size_t b = 0; b < past.size(); ++b) {
        for (std::size_t i = 0; i < SmallCache::n_kv_heads * n_new[b]; ++i) {
            k(b, i / n_new[b], i % n_new[b], 0) = value_mark + static_cast<double>(100 * b + past[b] + i % n_new[b]);
        }
    }
    return k;
}

constexpr double value_mark = 1000;

mistakes::CacheState empty_cache() {
    mistakes::CacheState cache{Array<4>({2, SmallCache::n_kv_heads, SmallCache::max_len, 1}),
                               Array<4>({2, SmallCache::n_kv_heads, SmallCache::max_len, 1}), Lengths(2, 0)};
    cache.keys.fill(unwritten);
    cache.values.fill(unwritten);
    return cache;
}

mistakes::CacheState after(const Calls& calls, const mistakes::Decisions& decisions) {
    mistakes::CacheState cache = empty_cache();
    Lengths past(2, 0);
    for (const Lengths& n_new : calls) {
        if (n_new.empty()) {
            mistakes::reset(cache, decisions);
            past.assign(2, 0);
            continue;
        }
        mistakes::append(cache, tokens_of(past, n_new, 0), tokens_of(past, n_new, value_mark), n_new, decisions);
        std::ranges::transform(past, n_new, past.begin(), std::plus<>());
    }
    return cache;
}

mistakes::CacheState after(const Calls& calls) {
    const mistakes::CacheState empty = empty_cache();
    KVCache cache(2, SmallCache::n_kv_heads, SmallCache::max_len, 1);
    cache.keys() = empty.keys;
    cache.values() = empty.values;
    for (const Lengths& n_new : calls) {
        if (n_new.empty()) {
            cache.reset();
            continue;
        }
        const Lengths past = cache.lengths();
        cache.append(tokens_of(past, n_new, 0), tokens_of(past, n_new, value_mark), n_new);
    }
    return {reference::to_double(cache.keys()), reference::to_double(cache.values()), cache.lengths()};
}

// "k3" is the key of token 3 of its row; a token of another row has that row's number in front.
std::string slot_text(double content, std::size_t b) {
    if (content == unwritten) {
        return "";
    }
    if (content == padding) {
        return "pad";
    }
    const auto number = static_cast<std::size_t>(content);
    const std::size_t row = number % 1000 / 100;
    return fmt::format("{}{}{}", number >= 1000 ? "v" : "k", number % 100, row == b ? "" : "'");
}

struct Slot {
    std::string text;
    bool live;

    bool operator==(const Slot&) const = default;
};

std::vector<std::vector<Slot>> slots_of(const mistakes::CacheState& cache) {
    std::vector<std::vector<Slot>> rows;
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t i = 0; i < 2 * SmallCache::n_kv_heads; ++i) {
            const Array<4>& buffer = i % 2 == 0 ? cache.keys : cache.values;
            rows.emplace_back();
            for (std::size_t slot = 0; slot < SmallCache::max_len; ++slot) {
                const bool live = slot < cache.lengths[b];
                const std::string text = slot_text(buffer(b, i / 2, slot, 0), b);
                rows.back().push_back({live && text.empty() ? "?" : text, live});
            }
        }
    }
    return rows;
}

Table marked(const std::vector<std::vector<Slot>>& rows, const std::vector<std::vector<Slot>>& right) {
    Table table;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        table.emplace_back();
        for (std::size_t slot = 0; slot < SmallCache::max_len; ++slot) {
            const Slot& here = rows[r][slot];
            const bool same = here == right[r][slot];
            const std::string kind = same && here.live ? "see" : same ? "" : here.live ? "bad" : "miss";
            table.back().push_back({kind == "miss" ? "" : here.text, kind});
        }
    }
    return table;
}

std::vector<std::string> slot_labels() {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < 4 * SmallCache::n_kv_heads; ++i) {
        labels.push_back(fmt::format("{} kv{} {}", i / 4 == 0 ? "a" : "b", i / 2 % 2, i % 2 == 0 ? "K" : "V"));
    }
    return labels;
}

struct CacheCase {
    const char* what;
    Calls calls;
};

}  // namespace

Svg picture_of(const mistakes::Mistake& mistake, const std::string& what) {
    return {"mistake_" + mistake.id, "Right, and when " + mistake.title,
            what + " On the left as it should be, on the right with the mistake."};
}

std::optional<Svg> layout_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions) {
    const std::optional<Svg> one_row = layout_of(mistake, decisions, 1, 3);
    return one_row ? one_row : layout_of(mistake, decisions, 2, 2);
}

std::optional<Svg> append_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions) {
    const std::vector<CacheCase> cases{
        {"Slots after rows a and b appended 3 and 1 tokens, then 1 and 2.", {{3, 1}, {1, 2}}},
        {"Slots after rows a and b appended 2 and 3 tokens, a reset, and 1 token each.", {{2, 3}, {}, {1, 1}}}};
    for (const CacheCase& one : cases) {
        const auto right = slots_of(after(one.calls));
        const auto wrong = if_not_refused([&] { return slots_of(after(one.calls, decisions)); });
        if (wrong && right != *wrong) {
            Svg svg = picture_of(mistake, one.what);
            const Point taken = draw(svg, {0, 0}, "right", slot_labels(), marked(right, right), slot_size);
            draw(svg, {taken.x + 12, 0}, "with the mistake", slot_labels(), marked(*wrong, right), slot_size);
            svg.caption(one.what);
            return svg;
        }
    }
    return std::nullopt;
}

}  // namespace workbook::figures
