// Tables of what ./workbook bench measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "docs/read_json.hpp"
#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"

namespace workbook::docs {

namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

// The row with that name, or null.
json find(const json& bench, const std::string& group, const std::string& name) {
    for (const json& row : bench.at("rows")) {
        if (row.at("group") == group && row.at("row") == name) {
            return row;
        }
    }
    return {};
}

// Groups of which rows have the field, in their order.
std::vector<std::string> groups_with(const json& bench, const char* field) {
    std::vector<std::string> groups;
    for (const json& row : bench.at("rows")) {
        const auto group = row.at("group").get<std::string>();
        if (row.contains(field) && std::ranges::find(groups, group) == groups.end()) {
            groups.push_back(group);
        }
    }
    return groups;
}

// "2048" as "2,048" wherever it stands in a text.
std::string with_commas(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
        const std::string digits = text.substr(i, end - i);
        result += digits.empty() ? text.substr(i, 1) : grouped(std::stoull(digits));
        i = std::max(end, i + 1);
    }
    return result;
}

std::string number(double value) {
    return value < 10    ? fixed(value, 2)
           : value < 100 ? fixed(value, 1)
                         : grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string milliseconds(const json& seconds) {
    return number(seconds.get<double>() * 1e3);
}

std::string scientific(double value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%.1e", value);
    return text.data();
}

std::string setting_text(const json& bench) {
    const json& setting = bench.at("setting");
    const auto get = [&](const char* key) { return setting.at(key).get<std::string>(); };
    return get("machine") + ", " + get("date") + ", commit " + get("commit") + ", " + get("numbers") +
           ", vector code with " + get("vector_code") + ", OpenBLAS with its kernels for " + get("openblas");
}

const std::vector<std::string> stages{"no cache, all again", "concatenate and expand", "cache, head by head",
                                      "one pass per group", "streaming"};

std::string stages_table(const json& bench) {
    std::vector<Row> rows{{"case", "floor, ms"}};
    rows[0].insert(rows[0].end(), stages.begin(), stages.end());
    for (const std::string& group : groups_with(bench, "ratio")) {
        Row cells{with_commas(group), milliseconds(find(bench, group, "streaming").at("floor_median"))};
        for (const std::string& stage : stages) {
            const json row = find(bench, group, stage);
            cells.push_back(row.is_null() ? "" : number(row.at("ratio")));
        }
        rows.push_back(cells);
    }
    return table(rows);
}

// A rate and its share of what the floor reached.
std::string rate(const json& row, const char* amount) {
    const double reached = row.at(amount).get<double>() / row.at("median").get<double>();
    const double possible = row.at(amount).get<double>() / row.at("floor_median").get<double>();
    return fixed(reached / 1e9, 1) + " of " + fixed(possible / 1e9, 1);
}

std::string rates_table(const json& bench) {
    std::vector<Row> rows{{"case", "best, ms", "median, ms", "GB/s of cache", "GFLOP/s"}};
    for (const std::string& group : groups_with(bench, "ratio")) {
        const json row = find(bench, group, "streaming");
        const bool decode = group.find("decode") != std::string::npos;
        rows.push_back({with_commas(group), milliseconds(row.at("best")), milliseconds(row.at("median")),
                        decode ? rate(row, "bytes") : "", decode ? "" : rate(row, "flops")});
    }
    return table(rows);
}

std::string ratios_table(const json& bench, const json& threads, const json& native) {
    std::vector<Row> rows{
        {"case", "one thread", threads.at("setting").at("threads").get<std::string>() + " threads", "native build"}};
    for (const std::string& group : groups_with(bench, "ratio")) {
        Row cells{with_commas(group)};
        for (const json* run : {&bench, &threads, &native}) {
            const json row = find(*run, group, "streaming");
            cells.push_back(row.is_null() ? "" : fixed(row.at("ratio"), 2));
        }
        rows.push_back(cells);
    }
    return table(rows);
}

std::string errors_table(const json& bench) {
    std::vector<Row> rows{{"case", "one pass per group", "streaming"}};
    for (const std::string& group : groups_with(bench, "ratio")) {
        rows.push_back({with_commas(group), scientific(find(bench, group, "one pass per group").at("error")),
                        scientific(find(bench, group, "streaming").at("error"))});
    }
    return table(rows);
}

std::string layers_table(const json& bench) {
    std::vector<Row> rows{{"case", "attention: one pass per group, ms", "streaming, ms",
                           "layer: one pass per group, ms", "streaming, ms"}};
    const std::string prefix = "layer with projections, ";
    for (const std::string& group : groups_with(bench, "ratio")) {
        if (find(bench, prefix + group, "streaming").is_null()) {
            continue;
        }
        Row cells{with_commas(group)};
        for (const std::string& measured : {group, prefix + group}) {
            for (const char* stage : {"one pass per group", "streaming"}) {
                cells.push_back(milliseconds(find(bench, measured, stage).at("median")));
            }
        }
        rows.push_back(cells);
    }
    return table(rows);
}

std::string growth_table(const json& bench) {
    std::vector<Row> rows{{"what", "best, µs"}};
    for (const json& row : bench.at("rows")) {
        if (row.contains("at")) {
            rows.push_back({with_commas(row.at("group").get<std::string>() + ", " + row.at("row").get<std::string>()),
                            number(row.at("best").get<double>() * 1e6)});
        }
    }
    return table(rows);
}

std::string bytes_table(const json& bench) {
    std::vector<Row> rows{{"what", "bytes counted", "by formula", "difference"}};
    for (const json& row : bench.at("rows")) {
        if (row.contains("counted")) {
            const auto counted = row.at("counted").get<std::uint64_t>();
            const auto formula = row.at("formula").get<std::uint64_t>();
            rows.push_back({with_commas(row.at("group").get<std::string>() + ", " + row.at("row").get<std::string>()),
                            grouped(counted), grouped(formula), grouped(counted - formula)});
        }
    }
    return table(rows);
}

}  // namespace

Blocks bench_blocks(const std::string& folder) {
    const json bench = read_json(folder + "/bench.json");
    const json threads = read_json(folder + "/bench-threads.json");
    const json native = read_json(folder + "/bench-native.json");
    return {{"bench_setting", [=] { return setting_text(bench); }},
            {"bench_stages_table", [=] { return stages_table(bench); }},
            {"bench_rates_table", [=] { return rates_table(bench); }},
            {"bench_ratios_table", [=] { return ratios_table(bench, threads, native); }},
            {"bench_errors_table", [=] { return errors_table(bench); }},
            {"bench_layers_table", [=] { return layers_table(bench); }},
            {"bench_growth_table", [=] { return growth_table(bench); }},
            {"bench_bytes_table", [=] { return bytes_table(bench); }}};
}

}  // namespace workbook::docs
