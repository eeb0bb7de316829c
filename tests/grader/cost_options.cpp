#include "cost_options.hpp"

#include <charconv>
#include <cmath>

namespace workbook::grader {

namespace {

// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string expected(const std::string& what, const std::string& got) {
    return what + " was expected, got " + got;
}

CLI::Validator whole_number(reference::Count lowest) {
    return {[lowest](std::string& text) {
                const auto number = number_in<reference::Count>(text);
                return number && *number >= lowest
                           ? std::string()
                           : expected("a whole number from " + std::to_string(lowest) + " to 2^64 - 1", text);
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

}  // namespace

void add_cost(CLI::App& app, CostArguments& arguments) {
    CLI::App* cost = app.add_subcommand("cost", "What a model's attention costs");
    cost->add_option("model", arguments.model, "a published model; --list shows them");
    cost->add_flag("--list", arguments.list, "The published models");
    cost->add_flag("--json", arguments.json, "The figures as JSON");

    const auto add_count = [&](const char* name, auto& count, reference::Count lowest) {
        cost->add_option(name, count)->check(whole_number(lowest));
    };
    add_count("--batch", arguments.load.batch, 1);
    add_count("--context", arguments.load.context, 0);
    add_count("--new", arguments.load.n_new, 0);
    add_count("--layers", arguments.n_layers, 1);
    add_count("--d-model", arguments.d_model, 1);
    add_count("--heads", arguments.n_heads, 1);
    add_count("--kv-heads", arguments.n_kv_heads, 1);
    add_count("--head-dim", arguments.head_dim, 1);
    add_count("--parameters", arguments.parameters, 1);
    add_count("--bytes", arguments.bytes_per_element, 1);

    cost->add_option("--bandwidth", arguments.gigabytes_per_second)->check(positive_number());
    cost->add_option("--flops", arguments.teraflops_per_second)->check(positive_number());
    cost->add_option("--memory", arguments.memory_gib)->check(positive_number());
}

}  // namespace workbook::grader
