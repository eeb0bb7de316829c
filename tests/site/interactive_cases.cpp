// Prints settings and what the C++ models make of them, as a script for the comparison with the pages' scripts:
// interactive_cases MODELS_JSON > cases.js
#include <functional>
#include <iostream>
#include <random>
#include <set>
#include <stdexcept>

#include "docs/interactive/names.hpp"
#include "reference/mistakes/models/sight.hpp"
#include "reference/presets.hpp"

namespace {

using namespace workbook;
using nlohmann::ordered_json;
using reference::Count;

constexpr int cost_settings = 400;
constexpr int sight_settings = 90;
constexpr int settings_for_every_way = 20;  // afterwards, those ways go on that have changed something

class Random {
public:
    [[nodiscard]] Count between(Count low, Count high) {
        return std::uniform_int_distribution<Count>(low, high)(generator_);
    }
    // As likely small as large.
    [[nodiscard]] Count of_any_size(Count low, int bits) {
        return low + between(0, (Count{1} << between(0, bits)) - 1);
    }

private:
    std::mt19937_64 generator_{20260101};
};

// Counts as texts, which lose nothing in a script.
ordered_json exact(const ordered_json& value) {
    if (value.is_number_integer()) {
        return value.dump();
    }
    ordered_json copy = value;
    for (auto& [key, member] : copy.items()) {
        member = member.is_structured() || member.is_number_integer() ? exact(member) : member;
    }
    return copy;
}

ordered_json cost_case(const reference::ModelShape& shape, const reference::Load& load,
                       const reference::Machine& machine) {
    ordered_json result{{"shape", exact(json_of(shape))},
                        {"load", exact({{"batch", load.batch}, {"context", load.context}, {"n_new", load.n_new}})},
                        {"machine",
                         {{"bytes_per_second", machine.bytes_per_second},
                          {"flops_per_second", machine.flops_per_second},
                          {"memory_bytes", std::to_string(machine.memory_bytes)}}}};
    try {
        result["expected"] = exact(json_of(cost_report(shape, load, machine)));
    } catch (const std::overflow_error&) {
        result["expected"] = "too large";
    }
    return result;
}

reference::ModelShape random_shape(Random& random) {
    reference::ModelShape shape;
    shape.n_layers = random.between(1, 128);
    shape.d_model = random.between(1, 16384);
    shape.n_kv_heads = random.between(1, 16);
    shape.n_heads = shape.n_kv_heads * random.between(1, 16);
    shape.head_dim = random.between(1, 256);
    shape.bytes_per_element = random.between(1, 8);
    shape.windowed_layers = random.between(0, 2) == 0 ? random.between(1, shape.n_layers) : 0;
    shape.window = shape.windowed_layers > 0 ? random.of_any_size(1, 14) : 0;
    shape.parameters = random.of_any_size(1, 40);
    shape.lookup_parameters = random.between(0, shape.parameters);
    return shape;
}

reference::Load random_load(Random& random) {
    return {random.of_any_size(1, 12), random.of_any_size(1, 20), random.of_any_size(0, 12)};
}

reference::Machine random_machine(Random& random) {
    return {static_cast<double>(random.between(1, 100'000)) * 1e8,
            static_cast<double>(random.between(1, 100'000)) * 1e10, random.of_any_size(1, 42)};
}

ordered_json cost_cases(const std::vector<reference::Preset>& presets) {
    Random random;
    ordered_json cases = ordered_json::array();
    for (const reference::Preset& preset : presets) {
        const reference::Machine machine{3.35e12, 989e12, Count{80} << 30};
        cases.push_back(cost_case(preset.shape, {32, 8192, 0}, machine));
        cases.push_back(cost_case(preset.shape, {1, 0, 4096}, machine));
        for (const Count heads : {preset.shape.n_heads, Count{1}}) {
            cases.push_back(cost_case(with_kv_heads(preset.shape, heads), random_load(random), machine));
        }
    }
    for (int i = 0; i < cost_settings; ++i) {
        const reference::ModelShape shape = random_shape(random);
        const reference::Load load = random_load(random);
        cases.push_back(cost_case(shape, load, random_machine(random)));
    }
    const reference::Load huge{Count{1} << 40, Count{1} << 30, 0};
    cases.push_back(cost_case(presets.front().shape, huge, random_machine(random)));
    return cases;
}

mistakes::CachedCall random_call(Random& random) {
    mistakes::CachedCall call;
    call.q_len = random.between(1, 4);
    call.n_kv_heads = random.between(1, 3);
    call.n_heads = call.n_kv_heads * random.between(1, 3);
    call.window = random.between(0, 2) == 0 ? random.between(1, 6) : 0;
    const std::size_t rows = random.between(1, 3);
    for (std::size_t b = 0; b < rows; ++b) {
        call.past.push_back(random.between(0, 6));
        call.n_new.push_back(random.between(0, call.q_len));
    }
    call.max_len = *std::ranges::max_element(call.past) + call.q_len + random.between(0, 3);
    return call;
}

// What `ask` answers, or that the call cannot be made with the mistake: it leads out of bounds, or is refused.
ordered_json answer_or_impossible(const std::function<ordered_json()>& ask) {
    try {
        return ask();
    } catch (const std::logic_error&) {
        return "impossible";
    }
}

// All that the queries of all rows and heads see, one behind the other.
std::string seen(const mistakes::CachedCall& call, const mistakes::Decisions& decisions) {
    std::string all;
    for (const auto& row : sights(call, decisions)) {
        for (const auto& head : row) {
            for (const mistakes::Sight& sight : head) {
                all += sight.tokens + sight.slots;
            }
        }
    }
    return all;
}

ordered_json heads_read(const mistakes::CachedCall& call, const mistakes::Decisions& decisions) {
    ordered_json heads = ordered_json::array();
    for (const mistakes::HeadReads& reads : head_reads(call.n_heads, call.n_kv_heads, decisions)) {
        heads.push_back({reads.keys, reads.values});
    }
    return heads;
}

ordered_json expected_with(const mistakes::CachedCall& call, const std::string& mistake, const mistakes::Way& way) {
    return {{"mistake", mistake},
            {"decisions", docs::names_of(way)},
            {"seen", answer_or_impossible([&] { return seen(call, way.decisions); })},
            {"heads", answer_or_impossible([&] { return heads_read(call, way.decisions); })}};
}

struct NamedWay {
    std::string mistake;
    mistakes::Way way;
};

std::vector<NamedWay> all_ways() {
    std::vector<NamedWay> all{{"none", {}}};
    for (const mistakes::Mistake& mistake : mistakes::catalogue()) {
        for (const mistakes::Way& way : mistake.ways) {
            all.push_back({mistake.id, way});
        }
    }
    return all;
}

// What the ways make of a call, of which the first one is right. Those that change something are put into `changing`.
ordered_json sight_case(const mistakes::CachedCall& call, const std::vector<NamedWay>& ways, std::set<int>& changing) {
    ordered_json expected = ordered_json::array();
    for (const auto& [mistake, way] : ways) {
        expected.push_back(expected_with(call, mistake, way));
        if (expected.back()["seen"] != expected[0]["seen"] || expected.back()["heads"] != expected[0]["heads"]) {
            changing.insert(static_cast<int>(expected.size()) - 1);
        }
    }
    return {{"call",
             {{"past", call.past},
              {"n_new", call.n_new},
              {"q_len", call.q_len},
              {"max_len", call.max_len},
              {"n_heads", call.n_heads},
              {"n_kv_heads", call.n_kv_heads},
              {"window", call.window}}},
            {"expected", expected}};
}

ordered_json sight_cases() {
    Random random;
    std::vector<NamedWay> ways = all_ways();
    std::set<int> changing{0};
    ordered_json cases = ordered_json::array();
    for (int i = 0; i < sight_settings; ++i) {
        cases.push_back(sight_case(random_call(random), ways, changing));
        if (i + 1 == settings_for_every_way) {
            std::vector<NamedWay> kept;
            for (const int place : changing) {
                kept.push_back(ways[static_cast<std::size_t>(place)]);
            }
            ways = kept;
        }
    }
    return cases;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "expected MODELS_JSON\n";
        return 2;
    }
    const ordered_json cases{{"costs", cost_cases(reference::read_presets(argv[1]))}, {"sights", sight_cases()}};
    std::cout << "globalThis.workbookCases = " << cases.dump() << ";\n";
    return 0;
}
