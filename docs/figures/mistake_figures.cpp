// What a mistake amounts to, read from what its model computes.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "docs/figures/contents.hpp"
#include "docs/figures/figures.hpp"
#include "docs/figures/grid.hpp"
#include "docs/figures/head_map.hpp"
#include "docs/figures/trace.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::figures {

namespace {

std::vector<Scenario> scenarios() {
    return {
        {"A prompt of four tokens.", 1, 1, {{4}}, false},
        {"Rows a and b of three tokens each.", 1, 1, {{3, 3}}, false},
        {"A prompt of three tokens, then a chunk of two.", 1, 1, {{3}, {2}}, true},
        {"A prompt of three tokens, then one at a time.", 1, 1, {{3}, {1}, {1}}, true},
        {"Rows a and b bring 3 and 1 tokens, then 1 and 2.", 1, 1, {{3, 1}, {1, 2}}, true},
        {"A prompt of three tokens, three heads.", 3, 3, {{3}}, false},
        {"A prompt of two tokens, then a chunk of two; two groups of two heads.", 4, 2, {{2}, {2}}, true},
        {"Rows a and b bring 1 and 3 tokens, then 2 and 1.", 1, 1, {{1, 3}, {2, 1}}, true},
    };
}

// The differences of two head maps in words.
std::string differences(const std::vector<std::size_t>& right, const std::vector<std::size_t>& wrong) {
    std::string text;
    for (std::size_t h = 0; h < right.size(); ++h) {
        if (right[h] != wrong[h]) {
            text += fmt::format(" Query head {} reads {} in place of {}.", h, wrong[h], right[h]);
        }
    }
    return text;
}

// The differences of two pictures of who sees whom in words.
std::string differences(const Sight& right, const Sight& wrong) {
    std::string text;
    for (std::size_t r = 0; r < right.queries.size(); ++r) {
        std::string seen;
        std::string missed;
        bool is_nan = false;
        for (std::size_t j = 0; j < right.keys.size(); ++j) {
            const bool visible = look_of(right.weights[r], j) != Look::hidden;
            const Look look = look_of(wrong.weights[r], j);
            is_nan = is_nan || look == Look::nan;
            if (visible != (look != Look::hidden)) {
                (visible ? missed : seen) += " " + right.keys[j];
            }
        }
        const std::string& query = right.queries[r];
        text += is_nan ? fmt::format(" Query {} becomes NaN.", query) : "";
        text += !is_nan && !seen.empty() ? fmt::format(" Query {} sees{} and must not.", query, seen) : "";
        text += !is_nan && !missed.empty() ? fmt::format(" Query {} misses{}.", query, missed) : "";
    }
    return text;
}

std::optional<Svg> head_map_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions) {
    constexpr std::size_t n_heads = 6;
    constexpr std::size_t n_kv_heads = 3;
    std::vector<std::size_t> right;
    std::vector<std::size_t> wrong;
    for (std::size_t h = 0; h < n_heads; ++h) {
        right.push_back(kv_head_of(h, n_heads, n_kv_heads));
        wrong.push_back(mistakes::kv_head_of(h, n_heads, n_kv_heads, decisions));
    }
    if (right == wrong) {
        return std::nullopt;
    }
    Svg svg = picture_of(mistake,
                         "Six query heads and the three key/value heads that they read." + differences(right, wrong));
    const Point taken = draw_head_map(svg, {0, 0}, "right", right, n_kv_heads);
    draw_head_map(svg, {taken.x + 12, 0}, "with the mistake", wrong, n_kv_heads, &right);
    svg.caption("H = 6 query heads, Hkv = 3 key/value heads.");
    return svg;
}

// Leaves out the sources that nobody sees.
void keep_columns(Sight& sight, const std::vector<bool>& kept) {
    Sight shorter{sight.queries, {}, std::vector<std::vector<double>>(sight.weights.size())};
    for (std::size_t j = 0; j < sight.keys.size(); ++j) {
        if (kept[j]) {
            shorter.keys.push_back(sight.keys[j]);
            for (std::size_t r = 0; r < sight.weights.size(); ++r) {
                shorter.weights[r].push_back(sight.weights[r][j]);
            }
        }
    }
    sight = shorter;
}

// Tokens always have a column; padding and unwritten slots only when somebody sees them.
std::vector<bool> used_columns(const Sight& right, const Sight& wrong) {
    std::vector<bool> used(right.keys.size(), true);
    for (std::size_t j = right.keys.size() - 2; j < right.keys.size(); ++j) {
        used[j] = false;
        for (std::size_t r = 0; r < right.weights.size(); ++r) {
            const Look look = look_of(wrong.weights[r], j);
            used[j] = used[j] || look == Look::seen || look == Look::little;
        }
    }
    return used;
}

Svg sight_figure(const mistakes::Mistake& mistake, const Scenario& scenario, std::size_t head, Sight right,
                 Sight wrong) {
    const std::vector<bool> kept = used_columns(right, wrong);
    keep_columns(right, kept);
    keep_columns(wrong, kept);
    const std::string of_head = scenario.n_heads > 1 ? fmt::format(" Query head {}.", head) : "";
    Svg svg = picture_of(mistake, fmt::format("{}{} Rows are queries, columns are the tokens they see.{}",
                                              scenario.title, of_head, differences(right, wrong)));
    const Point taken = draw(svg, {0, 0}, "right", right);
    draw(svg, {taken.x + 24, 0}, "with the mistake", wrong, &right);
    svg.caption(scenario.title + of_head);
    return svg;
}

// Weights that sum to more than 1, or that come from memory nobody wrote, are no picture of who sees whom.
bool is_sight(const Sight& sight) {
    return std::ranges::all_of(sight.weights, [](const std::vector<double>& row) {
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        return !(sum > 1 + 1e-6) && std::ranges::count(row, mistakes::anything) == 0;
    });
}

std::optional<Svg> traced_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions,
                                 const Scenario& scenario) {
    const Trace right = trace(scenario);
    const Trace wrong = trace(scenario, decisions);
    if (!wrong.kv_heads.empty() && right.kv_heads != wrong.kv_heads) {
        Svg svg = picture_of(mistake, fmt::format("{} Query heads and the key/value heads whose values they mix.{}",
                                                  scenario.title, differences(right.kv_heads, wrong.kv_heads)));
        const Point taken = draw_head_map(svg, {0, 0}, "right", right.kv_heads, scenario.n_kv_heads);
        draw_head_map(svg, {taken.x + 12, 0}, "with the mistake", wrong.kv_heads, scenario.n_kv_heads, &right.kv_heads);
        svg.caption(scenario.title);
        return svg;
    }
    for (std::size_t h = 0; h < scenario.n_heads; ++h) {
        if (is_sight(wrong.heads[h]) && !looks_like(right.heads[h], wrong.heads[h])) {
            return sight_figure(mistake, scenario, h, right.heads[h], wrong.heads[h]);
        }
    }
    return std::nullopt;
}

std::optional<Svg> figure_of(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions) {
    for (const auto& draw_figure : {head_map_figure, layout_figure, append_figure}) {
        const auto figure = if_not_refused([&] { return draw_figure(mistake, decisions); });
        if (figure && *figure) {
            return *figure;
        }
    }
    for (const Scenario& scenario : scenarios()) {
        const auto figure = if_not_refused([&] { return traced_figure(mistake, decisions, scenario); });
        if (figure && *figure) {
            return *figure;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Svg> mistake_figure(const mistakes::Mistake& mistake) {
    return mistake.ways.empty() ? std::nullopt : figure_of(mistake, mistake.ways.front().decisions);
}

}  // namespace workbook::figures
