#include "docs/figures/grid.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace workbook::figures {

namespace {

constexpr int title_height = 18;
constexpr int label_height = 12;
constexpr int label_width = 7;  // of a character

int room_for(const std::vector<std::string>& labels) {
    std::size_t longest = 0;
    for (const std::string& label : labels) {
        longest = std::max(longest, label.size());
    }
    return static_cast<int>(longest) * label_width + 4;
}

// The difference that a picture shows: a key that is seen with another weight is still seen.
bool same(Look a, Look b) {
    const auto visible = [](Look look) { return look == Look::seen || look == Look::little; };
    return a == b || (visible(a) && visible(b));
}

std::string kind_of(Look look, Look right) {
    if (same(look, right)) {
        return look == Look::hidden || look == Look::nan ? "off" : "see";
    }
    return look == Look::nan ? "off" : look == Look::hidden ? "miss" : look == Look::little ? "few" : "bad";
}

}  // namespace

std::string colour(std::size_t index) {
    return "c" + std::to_string(index % 6);
}

Look look_of(const std::vector<double>& row, std::size_t column) {
    if (std::isnan(row[column])) {
        return Look::nan;
    }
    const double highest = *std::ranges::max_element(row);
    return row[column] > 0.6 * highest && row[column] > 0 ? Look::seen
           : row[column] > 1e-6                           ? Look::little
                                                          : Look::hidden;
}

bool looks_like(const Sight& a, const Sight& b) {
    for (std::size_t r = 0; r < a.weights.size(); ++r) {
        for (std::size_t j = 0; j < a.keys.size(); ++j) {
            if (!same(look_of(a.weights[r], j), look_of(b.weights[r], j))) {
                return false;
            }
        }
    }
    return true;
}

Point draw(Svg& svg, Point corner, const std::string& title, const Sight& sight, const Sight* right) {
    const int left = room_for(sight.queries);
    const Point origin = corner + Point{left, title_height + label_height};
    svg.text(corner + Point{left, 12}, title, "b");
    for (std::size_t j = 0; j < sight.keys.size(); ++j) {
        svg.text(origin + Point{static_cast<int>(j) * cell + cell / 2, -4}, sight.keys[j], "s m");
    }
    std::map<std::string, std::vector<Point>> by_kind;
    for (std::size_t r = 0; r < sight.queries.size(); ++r) {
        const Point line = origin + Point{0, static_cast<int>(r) * cell};
        svg.text(line + Point{-4, 12}, sight.queries[r], "s e");
        for (std::size_t j = 0; j < sight.keys.size(); ++j) {
            const Look look = look_of(sight.weights[r], j);
            const Look wanted = right == nullptr ? look : look_of(right->weights[r], j);
            by_kind[kind_of(look, wanted)].push_back(line + Point{static_cast<int>(j) * cell + 1, 1});
        }
        if (!sight.weights[r].empty() && std::isnan(sight.weights[r].front())) {
            svg.text(line + Point{4, 12}, "NaN", "s b");
        }
    }
    for (const auto& [kind, corners] : by_kind) {
        svg.squares(corners, cell - 2, kind);
    }
    return {left + static_cast<int>(sight.keys.size()) * cell,
            title_height + label_height + static_cast<int>(sight.queries.size()) * cell};
}

Point draw(Svg& svg, Point corner, const std::string& title, const std::vector<std::string>& labels,
           const std::vector<std::vector<Labelled>>& rows, int size) {
    const int left = labels.empty() ? 0 : room_for(labels);
    svg.text(corner + Point{left, 12}, title, "b");
    const Point origin = corner + Point{left, title_height};
    int width = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Point line = origin + Point{0, static_cast<int>(r) * size};
        if (!labels.empty()) {
            svg.text(line + Point{-4, size / 2 + 4}, labels[r], "s e");
        }
        for (std::size_t i = 0; i < rows[r].size(); ++i) {
            const Labelled& square = rows[r][i];
            const Point at = line + Point{static_cast<int>(i) * size, 0};
            svg.squares({at + Point{1, 1}}, size - 2, square.kind.empty() ? "off" : square.kind);
            if (!square.text.empty()) {
                svg.text(at + Point{size / 2, size / 2 + 3}, square.text, square.kind.empty() ? "s m" : "s m in");
            }
        }
        width = std::max(width, static_cast<int>(rows[r].size()) * size);
    }
    return {left + width, title_height + static_cast<int>(rows.size()) * size};
}

}  // namespace workbook::figures
