// ./workbook cost: what a model's attention costs, as a table or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "app/base/layout.hpp"
#include "app/base/system/terminal.hpp"
#include "app/base/text.hpp"
#include "app/commands/command.hpp"
#include "app/show/cost_table.hpp"
#include "reference/presets.hpp"

namespace workbook::app {

namespace {

using reference::Count;
using reference::ModelShape;
using reference::Preset;

// What the command line says; what it leaves out is a preset's or a default.
struct CostArguments {
    std::string model;  ///< the name of a preset; empty for a model of one's own
    std::optional<reference::Count> n_layers, d_model, n_heads, n_kv_heads, head_dim, parameters;
    std::optional<reference::Count> bytes_per_element;
    reference::Load load{1, 4096, 0};
    double gigabytes_per_second = 3350;
    double teraflops_per_second = 989;
    double memory_gib = 80;
    bool list = false;
    bool json = false;
};

constexpr double gib = 1024.0 * 1024 * 1024;

Count required(const std::optional<Count>& value, const std::string& option) {
    if (!value) {
        throw WrongUse(fmt::format(
            "A model of your own needs {} too; or name a model: ./workbook cost --list shows them", option));
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
        throw WrongUse(
            fmt::format("--kv-heads: a divisor of --heads, {}, was expected, got {}", shape.n_heads, shape.n_kv_heads));
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
        throw WrongUse(fmt::format("MODEL: one of these names was expected, got {}:{}", arguments.model, names));
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
    std::string text = fmt::format("{}: {}, {}, {}, d {}\n", model.title, counted(shape.n_layers, "layer"),
                                   counted(shape.n_heads, "query head"), counted(shape.n_kv_heads, "key/value head"),
                                   grouped(shape.head_dim));
    if (shape.windowed_layers > 0) {
        text += fmt::format("  {} layers see the last {} tokens only\n", grouped(shape.windowed_layers),
                            grouped(shape.window));
    }
    const std::string year = model.year > 0 ? fmt::format(", {}", model.year) : "";
    return text + fmt::format("  {}{}\n", model.source, year);
}

std::string table(const Preset& model, const CostArguments& arguments, const reference::Machine& machine) {
    const reference::Load& load = arguments.load;
    std::ostringstream text;
    text << style_of_output().bold(heading(model))
         << fmt::format("{}, {} of context, {} new; {} an element\n", counted(load.batch, "row"),
                        counted(load.context, "token"), grouped(load.n_new),
                        counted(model.shape.bytes_per_element, "byte"))
         << fmt::format("{}, {}, {} of memory\n", in_decimal_units(machine.bytes_per_second, "B/s"),
                        in_decimal_units(machine.flops_per_second, "FLOP/s"), in_binary_units(machine.memory_bytes));
    if (model.max_context > 0 && load.context + load.n_new > model.max_context) {
        text << fmt::format("(The model is made for {} tokens at most.)\n", grouped(model.max_context));
    }
    text << "\n";
    print_costs(text, model.shape, load, machine);
    return text.str();
}

void print_figures(const Preset& model, const CostArguments& arguments) {
    const reference::Machine machine{arguments.gigabytes_per_second * 1e9, arguments.teraflops_per_second * 1e12,
                                     static_cast<Count>(arguments.memory_gib * gib)};
    if (arguments.json) {
        print_costs_as_json(std::cout, model, arguments.load, machine);
    } else {
        std::cout << table(model, arguments, machine);
    }
}

int cost(const Project& project, const CostArguments& arguments) {
    const std::vector<Preset> presets = reference::read_presets(project.source / "docs" / "models.json");
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

// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string expected(const std::string& what, const std::string& got) {
    return fmt::format("{} was expected, got {}", what, got);
}

CLI::Validator whole_number(reference::Count lowest) {
    return {[lowest](std::string& text) {
                const auto number = number_in<reference::Count>(text);
                return number && *number >= lowest
                           ? std::string()
                           : expected(fmt::format("a whole number from {} to 2^64 - 1", lowest), text);
            },
            ""};
}

CLI::Validator positive_number() {
    return {[](std::string& text) {
                double number = 0;
                const bool valid = CLI::detail::lexical_cast(text, number) && number >= 1e-6 && number <= 1e9;
                return valid ? std::string() : expected("a number from 1e-6 to 1e9", text);
            },
            ""};
}

std::function<int(const Call&)> describe(CLI::App& options) {
    const auto arguments = std::make_shared<CostArguments>();
    options.add_option("MODEL", arguments->model, "a published model; --list shows them");
    options.add_flag("--list", arguments->list, "list the models");
    options.add_flag("--json", arguments->json, "print the figures as JSON");

    const auto add_count = [&](const char* name, auto& count, Count lowest, const char* description) {
        options.add_option(name, count, description)->type_name("N")->check(whole_number(lowest));
    };
    add_count("--batch", arguments->load.batch, 1, "rows (1)");
    add_count("--context", arguments->load.context, 0, "tokens in the prompt (4096)");
    add_count("--new", arguments->load.n_new, 0, "tokens to generate (0)");
    add_count("--bytes", arguments->bytes_per_element, 1, "bytes per element (2)");
    const auto add_peak = [&](const char* name, double& peak, const char* description) {
        options.add_option(name, peak, description)->type_name("X")->check(positive_number());
    };
    add_peak("--memory", arguments->memory_gib, "the machine's memory in GiB (80)");
    add_peak("--bandwidth", arguments->gigabytes_per_second, "its peak bandwidth in GB/s (3350)");
    add_peak("--flops", arguments->teraflops_per_second, "its peak rate in TFLOP/s (989)");
    add_count("--layers", arguments->n_layers, 1, "layers of a model of your own, in place of MODEL");
    add_count("--d-model", arguments->d_model, 1, "its width");
    add_count("--heads", arguments->n_heads, 1, "its query heads");
    add_count("--kv-heads", arguments->n_kv_heads, 1, "its key/value heads");
    add_count("--head-dim", arguments->head_dim, 1, "the width of a head");
    add_count("--parameters", arguments->parameters, 1, "its parameters; without this, those of attention alone");
    return [arguments](const Call& call) { return cost(call.project, *arguments); };
}

const bool cost_is_registered = register_command({
    .name = "cost",
    .arguments = "MODEL",
    .summary = "show what attention costs a published model: memory, operations, the least time",
    .place = 90,
    .target = "app",
    .describe = describe,
});

}  // namespace

}  // namespace workbook::app
