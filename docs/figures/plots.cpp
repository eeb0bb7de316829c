// Measured times, on logarithmic axes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "docs/figures/figures.hpp"
#include "docs/read_json.hpp"

namespace workbook::figures {

namespace {

constexpr int left = 44;
constexpr int top = 24;
constexpr int width = 230;
constexpr int height = 170;

// A logarithmic axis from `low` to `high`, in powers of `base`.
struct Axis {
    double low, high, base;

    // The values that get a label.
    [[nodiscard]] std::vector<double> marks() const {
        std::vector<double> values{low};
        while (values.back() * base < high * 1.01) {
            values.push_back(values.back() * base);
        }
        return values;
    }
    [[nodiscard]] double share(double value) const { return std::log(value / low) / std::log(high / low); }
    [[nodiscard]] int x(double value) const { return left + static_cast<int>(std::lround(share(value) * width)); }
    [[nodiscard]] int y(double value) const {
        return top + height - static_cast<int>(std::lround(share(value) * height));
    }
};

std::string short_number(double value) {
    return value < 1 ? fmt::format("1/{}", std::lround(1 / value)) : std::to_string(std::lround(value));
}

void draw_axes(Svg& svg, const Axis& across, const Axis& up, const std::string& x_name, const std::string& y_name) {
    svg.text({0, 12}, y_name, "b");
    for (const double value : up.marks()) {
        svg.line({left, up.y(value)}, {left + width, up.y(value)}, "off");
        svg.text({left - 6, up.y(value) + 4}, short_number(value), "s e");
    }
    for (const double value : across.marks()) {
        svg.text({across.x(value), top + height + 14}, short_number(value), "s m");
    }
    svg.text({left + width / 2, top + height + 30}, x_name, "m");
}

// A line with its name, which stands at the end where lines are apart.
enum class NameAt { begin, end };

struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;
};

void draw_series(Svg& svg, const Axis& across, const Axis& up, const Series& series, std::size_t index,
                 NameAt name_at) {
    std::vector<Point> line;
    for (const auto& [x, y] : series.points) {
        line.push_back({across.x(x), up.y(y)});
    }
    svg.polyline(line, "l" + std::to_string(index));
    for (const Point point : line) {
        svg.dot(point, "c" + std::to_string(index));
    }
    svg.text(name_at == NameAt::end ? line.back() + Point{8, 4} : line.front() + Point{8, -4}, series.name);
}

Svg one_token_plot(const nlohmann::json& measured) {
    Svg svg(
        "measured_one_token", "Measured: one more token, three ways",
        "Processor time of one more token on top of 63 to 2,047 others, as a multiple of the time with the "
        "preallocated cache on top of 63. Both axes are logarithmic. The preallocated cache stays lowest and nearly "
        "flat; growing by concatenation rises with the length; without a cache it is hundreds to thousands of times "
        "as much. The table beside the picture has the numbers.");
    const Axis across{64, 2048, 2};
    const Axis up{1, 10000, 10};
    draw_axes(svg, across, up, "tokens after the step", "time, 1 = preallocated at 64");
    const double unit = measured.front().at("cached");
    const std::vector<std::pair<const char*, const char*>> ways{
        {"cached", "preallocated"}, {"textbook", "concatenated"}, {"uncached", "no cache"}};
    std::size_t index = 0;
    for (const auto& [key, name] : ways) {
        Series series{name, {}};
        for (const nlohmann::json& point : measured) {
            series.points.emplace_back(point.at("past").get<double>() + 1, point.at(key).get<double>() / unit);
        }
        draw_series(svg, across, up, series, index++, NameAt::end);
    }
    return svg;
}

Svg queries_plot(const nlohmann::json& measured) {
    Svg svg(
        "measured_groups", "Measured: what fewer key/value heads save, by queries per call",
        "How many times faster attention is with 8 and with 1 key/value heads than with 32, for 1 to 128 queries in a "
        "call on 2,048 keys. Both axes are logarithmic. For one query the gain is largest; with many queries in a "
        "call it vanishes. The table beside the picture has the numbers.");
    const Axis across{1, 128, 2};
    const Axis up{1, 16, 2};
    draw_axes(svg, across, up, "queries in the call, T", "times faster than 32 kv heads");
    std::size_t index = 0;
    for (const int n_kv_heads : {8, 1}) {
        Series series{fmt::format("{} kv head{}", n_kv_heads, n_kv_heads == 1 ? "" : "s"), {}};
        const std::string key = fmt::format("kv_heads_{}", n_kv_heads);
        for (const nlohmann::json& point : measured) {
            series.points.emplace_back(point.at("q_len").get<double>(),
                                       point.at("kv_heads_32").get<double>() / point.at(key).get<double>());
        }
        draw_series(svg, across, up, series, index++, NameAt::begin);
    }
    return svg;
}

Svg story_plot(const nlohmann::json& measured) {
    Svg svg("measured_story", "Measured: tokens per second of a story, by its length",
            "How many tokens per second the model reads on with the preallocated cache, as plain loops, and without a "
            "cache, for texts of 16 to 2,048 tokens. Both axes are logarithmic. With the cache and as plain loops the "
            "lines are close together and fall slowly; without a cache the line falls from thousands to less than one. "
            "The table beside the picture has the numbers.");
    const Axis across{16, 2048, 2};
    const Axis up{0.1, 100000, 10};
    draw_axes(svg, across, up, "tokens of the text", "tokens per second");
    struct Way {
        const char *key, *name;
        NameAt name_at;  // where no other line is
    };
    std::size_t index = 0;
    for (const Way& way : {Way{"cache", "with a cache", NameAt::begin}, Way{"plain_loops", "plain loops", NameAt::end},
                           Way{"no_cache", "no cache", NameAt::end}}) {
        Series series{way.name, {}};
        for (const nlohmann::json& point : measured) {
            series.points.emplace_back(point.at("tokens").get<double>(), point.at(way.key).get<double>());
        }
        draw_series(svg, across, up, series, index++, way.name_at);
    }
    return svg;
}

// The rows of a group, or all rows of all groups that have a floor.
std::vector<nlohmann::json> rows_of(const nlohmann::json& bench, const std::string& group) {
    std::vector<nlohmann::json> rows;
    for (const nlohmann::json& row : bench.at("rows")) {
        if (group.empty() ? row.contains("ratio") : row.at("group") == group) {
            rows.push_back(row);
        }
    }
    return rows;
}

// The place of `name` in `names`, to which it is added when it is not there.
std::size_t index_in(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        names.push_back(name);
        return names.size() - 1;
    }
    return static_cast<std::size_t>(found - names.begin());
}

// A line for each case, a dot for each stage.
Svg stages_plot(const nlohmann::json& bench) {
    Svg svg("measured_stages", "Measured: five ways to attend, against what the machine can do",
            "For each case, how many times its floor each way takes. The axis is logarithmic. Streaming is closest to "
            "the floor, then one pass per group, then head by head; concatenating and having no cache are far behind. "
            "The table beside the picture has the numbers.");
    const Axis across{1, 1024, 4};
    constexpr int line_height = 22;
    constexpr int names_width = 130;
    std::vector<std::string> cases;
    std::vector<std::string> stages;
    for (const nlohmann::json& row : rows_of(bench, "")) {
        const int y = top + line_height * static_cast<int>(index_in(cases, row.at("group")));
        const std::size_t stage = index_in(stages, row.at("row"));
        const int x = names_width + across.x(std::clamp(row.at("ratio").get<double>(), 1.0, across.high)) - left;
        svg.dot({x, y}, "c" + std::to_string(stage));
    }
    const int end = top + line_height * static_cast<int>(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const int y = top + line_height * static_cast<int>(i);
        svg.text({0, y + 4}, cases[i], "s");
        svg.line({names_width, y}, {names_width + width, y}, "off");
    }
    for (const double mark : across.marks()) {
        svg.text({names_width + across.x(mark) - left, end + 2}, short_number(mark), "s m");
    }
    svg.text({names_width + width / 2, end + 18}, "times the floor", "m");
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const int y = end + 34 + 15 * static_cast<int>(i);
        svg.dot({names_width, y}, "c" + std::to_string(i));
        svg.text({names_width + 10, y + 4}, stages[i]);
    }
    return svg;
}

Svg growth_plot(const nlohmann::json& bench) {
    Svg svg("measured_growth", "Measured: what grows with the length of the cache, and what does not",
            "Microseconds of three things. Appending a token takes the same on top of 64 and of 32,768 others. Decode "
            "takes time in proportion to the keys that are there, and takes the same however many there is room for. "
            "Both axes are logarithmic.");
    const Axis across{64, 32768, 2};
    const Axis up{0.1, 10000, 10};
    draw_axes(svg, {64, 32768, 8}, up, "tokens", "µs");
    const std::vector<std::pair<std::string, std::string>> lines{
        {"append 1 token", "append one to so many"},
        {"decode, streaming, room for 32768", "decode, so many keys"},
        {"decode, streaming, 2048 keys", "decode, 2,048 keys in room for so many"}};
    std::size_t index = 0;
    for (const auto& [group, name] : lines) {
        Series series{name, {}};
        for (const nlohmann::json& row : rows_of(bench, group)) {
            series.points.emplace_back(row.at("at").get<double>(), row.at("best").get<double>() * 1e6);
        }
        draw_series(svg, across, up, series, index++, NameAt::end);
    }
    return svg;
}

}  // namespace

std::vector<Svg> plot_figures(const std::string& folder) {
    const nlohmann::json costs = read_json(folder + "/measured.json");
    const nlohmann::json story = read_json(folder + "/measured_story.json");
    const nlohmann::json bench = read_json(folder + "/bench.json");
    return {one_token_plot(costs.at("one_token")), queries_plot(costs.at("queries")),
            story_plot(story.at("tokens_per_second")), stages_plot(bench), growth_plot(bench)};
}

}  // namespace workbook::figures
