#include "cost_command.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "commands.hpp"
#include "cost_table.hpp"
#include "terminal.hpp"

namespace workbook::grader {

namespace {

using reference::Count;
using reference::ModelShape;
using reference::Preset;

constexpr double gib = 1024.0 * 1024 * 1024;

Count required(const std::optional<Count>& value, const std::string& option) {
    if (!value) {
        throw WrongUse("A model of your own needs " + option +
                       " too; or name a model: ./workbook cost --list shows them");
    }
    return *value;
}

Preset own_model(const CostArguments& arguments) {
    ModelShape shape;
    shape.n_layers = required(arguments.n_layers, "--layers");
    shape.d_model = required(arguments.d_model, "--d-model");
    shape.n_heads = required(arguments.n_heads, "--heads");
    shape.n_kv_heads = required(arguments.n_kv_heads, "--kv-heads");
    shape.head_dim = required(arguments.head_dim, "--head-dim");
    shape.bytes_per_element = 2;
    if (shape.n_heads % shape.n_kv_heads != 0) {
        throw WrongUse("--kv-heads: a divisor of --heads, " + std::to_string(shape.n_heads) + ", was expected, got " +
                       std::to_string(shape.n_kv_heads));
    }
    Preset own{"", "Your model", 0, "--parameters", 0, shape};
    if (!arguments.parameters) {
        own.source = "weights of attention only; --parameters gives all";
        own.shape.parameters = projection_flops(shape, shape.n_layers) / 2;  // a multiply-add for each weight
    } else {
        own.shape.parameters = *arguments.parameters;
    }
    return own;
}

Preset named_model(const std::vector<Preset>& presets, const CostArguments& arguments) {
    const auto found = std::ranges::find(presets, arguments.model, &Preset::name);
    if (found == presets.end()) {
        std::string names;
        for (const Preset& preset : presets) {
            names += "\n  " + preset.name;
        }
        throw WrongUse("MODEL: one of these names was expected, got " + arguments.model + ":" + names);
    }
    for (const auto& extent : {arguments.n_layers, arguments.d_model, arguments.n_heads, arguments.n_kv_heads,
                               arguments.head_dim, arguments.parameters}) {
        if (extent) {
            throw WrongUse(
                "MODEL: no name was expected beside --layers, --d-model, --heads, --kv-heads, --head-dim "
                "or\n--parameters, which describe a model of your own, got " +
                arguments.model);
        }
    }
    return *found;
}

std::string heading(const Preset& model) {
    const ModelShape& shape = model.shape;
    std::string text = model.title + ": " + counted(shape.n_layers, "layer") + ", " +
                       counted(shape.n_heads, "query head") + ", " + counted(shape.n_kv_heads, "key/value head") +
                       ", d " + grouped(shape.head_dim) + "\n  ";
    if (shape.windowed_layers > 0) {
        text += grouped(shape.windowed_layers) + " layers see the last " + grouped(shape.window) + " tokens only\n  ";
    }
    return text + model.source + (model.year > 0 ? ", " + std::to_string(model.year) : "") + "\n";
}

std::string table(const Preset& model, const CostArguments& arguments, const reference::Machine& machine) {
    const reference::Load& load = arguments.load;
    std::ostringstream text;
    text << style_of_output().bold(heading(model)) << counted(load.batch, "row") << ", "
         << counted(load.context, "token") << " of context, " << grouped(load.n_new) << " new; "
         << counted(model.shape.bytes_per_element, "byte") << " an element\n"
         << in_decimal_units(machine.bytes_per_second, "B/s") << ", "
         << in_decimal_units(machine.flops_per_second, "FLOP/s") << ", " << in_binary_units(machine.memory_bytes)
         << " of memory\n";
    if (model.max_context > 0 && load.context + load.n_new > model.max_context) {
        text << "(The model is made for " << grouped(model.max_context) << " tokens at most.)\n";
    }
    text << "\n";
    print_costs(text, model.shape, load, machine);
    return text.str();
}

void print_json(const Preset& model, const CostArguments& arguments, const reference::Machine& machine) {
    const reference::Load& load = arguments.load;
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
    std::cout << all.dump(2) << "\n";
}

void print_figures(const Preset& model, const CostArguments& arguments) {
    const reference::Machine machine{arguments.gigabytes_per_second * 1e9, arguments.teraflops_per_second * 1e12,
                                     static_cast<Count>(arguments.memory_gib * gib)};
    if (arguments.json) {
        print_json(model, arguments, machine);
    } else {
        std::cout << table(model, arguments, machine);
    }
}

}  // namespace

int cost(const Folders& folders, const CostArguments& arguments) {
    const std::vector<Preset> presets = reference::read_presets(folders.source / "docs" / "models.json");
    if (arguments.list) {
        if (arguments.json || !arguments.model.empty()) {
            throw WrongUse("--list: nothing else was expected beside it, got " +
                           (arguments.json ? "--json" : arguments.model));
        }
        print_presets(std::cout, presets);
        return all_passed;
    }
    if (arguments.load.context == 0 && arguments.load.n_new == 0) {
        throw WrongUse("--context: at least 1 token was expected, or some of --new, got 0 and 0");
    }
    try {
        Preset model = arguments.model.empty() ? own_model(arguments) : named_model(presets, arguments);
        model.shape.bytes_per_element = arguments.bytes_per_element.value_or(model.shape.bytes_per_element);
        print_figures(model, arguments);
    } catch (const std::overflow_error&) {
        throw WrongUse(
            "Smaller numbers were expected: a count of bytes or operations passes 2^64 - 1.\n"
            "Lower --batch, --context, --new, or the extents of the model.");
    }
    return all_passed;
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

}  // namespace workbook::grader
