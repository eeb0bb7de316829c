// Tables of what was measured.
#include <cmath>

#include "docs/read_json.hpp"
#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"

namespace workbook::docs {

namespace {

std::string one_token_table(const nlohmann::json& measured) {
    std::vector<std::vector<std::string>> rows{{"tokens after the step", "preallocated", "concatenated", "no cache"}};
    const double unit = measured.front().at("cached");
    for (const nlohmann::json& point : measured) {
        const auto ratio = [&](const char* key) {
            const double value = point.at(key).get<double>() / unit;
            return value < 20 ? fixed(value, 1) : grouped(static_cast<std::uint64_t>(std::llround(value)));
        };
        rows.push_back({grouped(point.at("past").get<std::uint64_t>() + 1), ratio("cached"), ratio("textbook"),
                        ratio("uncached")});
    }
    return table(rows);
}

std::string groups_table(const nlohmann::json& measured) {
    std::vector<std::vector<std::string>> rows{{"queries in the call", "8 kv heads", "1 kv head"}};
    for (const nlohmann::json& point : measured) {
        const auto gain = [&](const char* key) {
            return fixed(point.at("kv_heads_32").get<double>() / point.at(key).get<double>(), 1) + "×";
        };
        rows.push_back({grouped(point.at("q_len").get<std::uint64_t>()), gain("kv_heads_8"), gain("kv_heads_1")});
    }
    return table(rows);
}

std::string story_table(const nlohmann::json& measured) {
    std::vector<std::vector<std::string>> rows{{"tokens of the text", "with a cache", "plain loops", "no cache"}};
    for (const nlohmann::json& point : measured) {
        const auto rate = [&](const char* key) {
            const auto value = point.at(key).get<double>();
            return value < 20 ? fixed(value, 1) : grouped(static_cast<std::uint64_t>(std::llround(value)));
        };
        rows.push_back(
            {grouped(point.at("tokens").get<std::uint64_t>()), rate("cache"), rate("plain_loops"), rate("no_cache")});
    }
    return table(rows);
}

}  // namespace

Blocks measured_blocks(const std::string& folder) {
    const nlohmann::json costs = read_json(folder + "/measured.json");
    const nlohmann::json story = read_json(folder + "/measured_story.json");
    return {{"measured_one_token_table", [=] { return one_token_table(costs.at("one_token")); }},
            {"measured_groups_table", [=] { return groups_table(costs.at("queries")); }},
            {"measured_story_table", [=] { return story_table(story.at("tokens_per_second")); }},
            {"measured_story_machine", [=] { return story.at("machine").get<std::string>(); }},
            {"measured_story_compiler", [=] { return story.at("compiler").get<std::string>(); }},
            {"measured_story_date", [=] { return story.at("date").get<std::string>(); }}};
}

}  // namespace workbook::docs
