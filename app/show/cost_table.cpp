#include "app/show/cost_table.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/base/layout.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

using reference::Call;
using reference::CostReport;
using reference::Count;
using reference::Preset;

// Three digits that count, without zeros behind the point. A half goes up, as it does on the calculator's page.
std::string three_digits(double value) {
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    const double scale = std::pow(10, decimals);
    std::string digits = fmt::format("{:.{}f}", std::round(value * scale) / scale, decimals);
    if (digits.find('.') != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        digits.erase(digits.find_last_not_of('.') + 1);
    }
    return digits;
}

void print_bytes(std::ostream& out, const std::string& what, Count bytes) {
    out << "  " << padded(what, 38) << to_the_right(grouped(bytes), 26) << to_the_right(in_binary_units(bytes), 13)
        << "\n";
}

void print_memory(std::ostream& out, const reference::ModelShape& model, const reference::Load& load,
                  const reference::Machine& machine, const CostReport& report) {
    out << padded("Memory", 40) << to_the_right("bytes", 26) << "\n";
    print_bytes(out, "cache, one token", report.kv_bytes_per_token);
    print_bytes(out, "cache, one row of " + counted(report.tokens, "token"), report.row_bytes);
    print_bytes(out, "cache, " + counted(load.batch, "row") + " reserved", report.reserved_bytes);
    print_bytes(out, "  repeated to " + grouped(model.n_heads) + " query heads", report.expanded_bytes);
    print_bytes(out, "weights", report.weight_bytes);
    print_bytes(out, "weights and cache", report.total_bytes);
    out << "  " << padded("rows that fit in " + in_binary_units(machine.memory_bytes), 38)
        << to_the_right(grouped(report.largest_batch), 26) << "\n";
}

void print_call(std::ostream& out, const std::string& what, const Call& call) {
    out << "  " << padded(what, 29) << to_the_right(in_decimal_units(static_cast<double>(call.flops), "FLOP"), 12)
        << to_the_right(in_binary_units(call.bytes), 11) << to_the_right(in_decimal_units(call.seconds(), "s"), 10)
        << "  " << (call.bound_by_memory() ? "memory" : "arithmetic") << "\n";
}

void print_time(std::ostream& out, const reference::Load& load, const CostReport& report) {
    out << padded("Time, at least", 31) << to_the_right("operations", 12) << to_the_right("moved", 11)
        << to_the_right("time", 10) << "  bound by\n";
    if (load.context > 0) {
        print_call(out, "prefill of " + counted(load.context, "token"), report.prefill);
    }
    print_call(out, "decode, the last token", report.decode);
    print_call(out, "the same without a cache", report.recompute);
    out << "  scores and mixing in decode: " << three_digits(report.decode_flops_per_cache_byte)
        << " FLOP for each byte read from the cache\n";
}

void print_generation(std::ostream& out, const reference::Load& load, const CostReport& report) {
    out << "\nGenerating " << counted(load.n_new, "token") << " in " << counted(load.batch, "row") << "\n";
    const auto line = [&](const std::string& what, const std::string& figure) {
        out << "  " << padded(what, 38) << to_the_right(figure, 26) << "\n";
    };
    line("tokens projected with a cache", grouped(report.projected_with_cache));
    line("tokens projected without", grouped(report.projected_without_cache));
    print_bytes(out, "bytes copied if it were concatenated", report.copied_by_concatenation);
}

std::string kind_of(Count n_heads, Count n_kv_heads) {
    return n_kv_heads == n_heads ? "MHA" : n_kv_heads == 1 ? "MQA" : "GQA";
}

void print_heads(std::ostream& out, const reference::ModelShape& model, const reference::Load& load,
                 const reference::Machine& machine) {
    out << "\n"
        << padded("Key/value heads", 29) << to_the_right("a token", 11) << to_the_right("reserved", 11)
        << to_the_right("rows that fit", 16) << to_the_right("decode", 11) << "\n";
    std::vector<Count> counts{model.n_heads};
    for (const Count other : {model.n_kv_heads, Count{1}}) {
        if (other != counts.back()) {
            counts.push_back(other);
        }
    }
    for (const Count heads : counts) {
        const CostReport report = cost_report(with_kv_heads(model, heads), load, machine);
        const std::string mark = heads == model.n_kv_heads ? ", this model" : "";
        out << "  " << padded(fmt::format("{}, {}{}", kind_of(model.n_heads, heads), grouped(heads), mark), 27)
            << to_the_right(in_binary_units(report.kv_bytes_per_token), 11)
            << to_the_right(in_binary_units(report.reserved_bytes), 11)
            << to_the_right(grouped(report.largest_batch), 16)
            << to_the_right(in_decimal_units(report.decode.seconds(), "s"), 11) << "\n";
    }
}

}  // namespace

std::string in_binary_units(Count bytes) {
    static constexpr std::array units{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return three_digits(value) + units.at(unit);
}

std::string in_decimal_units(double amount, const std::string& unit) {
    static constexpr std::array prefixes{"n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z"};
    double value = amount * 1e9;
    std::size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < prefixes.size()) {
        value /= 1000;
        ++prefix;
    }
    return fmt::format("{} {}{}", three_digits(value), prefixes.at(prefix), unit);
}

void print_costs(std::ostream& out, const reference::ModelShape& model, const reference::Load& load,
                 const reference::Machine& machine) {
    const CostReport report = cost_report(model, load, machine);
    print_memory(out, model, load, machine, report);
    out << "\n";
    print_time(out, load, report);
    if (load.n_new > 0) {
        print_generation(out, load, report);
    }
    print_heads(out, model, load, machine);
}

void print_costs_as_json(std::ostream& out, const Preset& model, const reference::Load& load,
                         const reference::Machine& machine) {
    const nlohmann::ordered_json all{
        {"schema_version", 1},
        {"model", {{"name", model.name}, {"title", model.title}, {"source", model.source}}},
        {"shape", json_of(model.shape)},
        {"load", {{"batch", load.batch}, {"context", load.context}, {"n_new", load.n_new}}},
        {"machine",
         {{"bytes_per_second", machine.bytes_per_second},
          {"flops_per_second", machine.flops_per_second},
          {"memory_bytes", machine.memory_bytes}}},
        {"costs", json_of(cost_report(model.shape, load, machine))}};
    out << all.dump(2) << "\n";
}

void print_presets(std::ostream& out, const std::vector<Preset>& presets) {
    const auto line = [&](std::initializer_list<std::string> cells) {
        static constexpr std::array<std::size_t, 9> widths{15, 7, 7, 4, 4, 4, 9, 8, 0};
        std::size_t column = 0;
        for (const std::string& cell : cells) {
            out << padded(cell, widths.at(column++));
        }
        out << "\n";
    };
    line({"name", "layers", "D", "H", "Hkv", "d", "a token", "context", "parameters"});
    for (const auto& [name, title, year, source, max_context, shape] : presets) {
        line({name, grouped(shape.n_layers), grouped(shape.d_model), grouped(shape.n_heads), grouped(shape.n_kv_heads),
              grouped(shape.head_dim), in_binary_units(kv_bytes_per_token(shape)), grouped(max_context),
              grouped(shape.parameters)});
    }
}

}  // namespace workbook::app
