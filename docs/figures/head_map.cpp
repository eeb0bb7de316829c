#include "docs/figures/head_map.hpp"

#include <algorithm>

#include "docs/figures/grid.hpp"

namespace workbook::figures {

namespace {

constexpr int step = 25;
constexpr int size = 20;

std::string number(std::size_t value) {
    return std::to_string(value);
}

void head(Svg& svg, int x, int y, const std::string& text, const std::string& kind) {
    svg.squares({{x - size / 2, y}}, size, kind);
    svg.text({x, y + 14}, text, kind == "off" ? "m" : "m in");
}

}  // namespace

Point draw_head_map(Svg& svg, Point corner, const std::string& title, const std::vector<std::size_t>& map,
                    std::size_t n_kv_heads, const std::vector<std::size_t>* right) {
    const int width = static_cast<int>(map.size()) * step;
    const bool beyond = std::ranges::any_of(map, [&](std::size_t kv) { return kv >= n_kv_heads; });
    const int places = static_cast<int>(n_kv_heads) + (beyond ? 1 : 0);
    const auto query_x = [&](std::size_t h) { return corner.x + 22 + static_cast<int>(h) * step + step / 2; };
    const auto kv_x = [&](std::size_t kv) {
        return corner.x + 22 + width * (2 * static_cast<int>(std::min(kv, n_kv_heads)) + 1) / (2 * places);
    };
    svg.text(corner + Point{0, 12}, title, "b");
    svg.text(corner + Point{0, 36}, "q");
    svg.text(corner + Point{0, 92}, "kv");
    for (std::size_t h = 0; h < map.size(); ++h) {
        const bool wrong = right != nullptr && (*right)[h] != map[h];
        svg.line({query_x(h), corner.y + 42}, {kv_x(map[h]), corner.y + 78}, wrong ? "lb" : "l" + number(map[h] % 6));
        head(svg, query_x(h), corner.y + 22, number(h), wrong ? "bad" : colour(map[h]));
    }
    for (std::size_t kv = 0; kv < n_kv_heads; ++kv) {
        head(svg, kv_x(kv), corner.y + 78, number(kv), colour(kv));
    }
    if (beyond) {
        head(svg, kv_x(n_kv_heads), corner.y + 78, "?", "off");
    }
    return {22 + width, 98};
}

}  // namespace workbook::figures
