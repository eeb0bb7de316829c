#include "tests/mutants/making/wrappers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "app/base/text.hpp"

namespace workbook::mutants {

namespace {

bool is_number(const std::string& type) {
    return type == "std::size_t" || type == "Count" || type == "Position" || type == "bool";
}

// What a parameter's type says about sizes; % is the parameter's name.
const std::map<std::string, std::vector<std::string>>& extents_by_type() {
    static const std::map<std::string, std::vector<std::string>> table{
        {"Tensor<3>", {"%.shape(0)", "%.shape(1)", "%.shape(2)"}},
        {"Tensor<4>", {"%.shape(0)", "%.shape(1)", "%.shape(2)", "%.shape(3)"}},
        {"Matrix", {"%.shape(0)", "%.shape(1)"}},
        {"ConstMatrix", {"%.shape(0)", "%.shape(1)"}},
        {"Lengths", {"%.size()", "largest(%)"}},
        {"KeyValues", {"longest(%)", "%.n_kv_heads()"}},
        {"KVCache", {"%.max_len()", "largest(%.lengths())"}},
        {"LayerUnderTest", {}},
        {"std::size_t", {"%"}},
        {"Count", {"%"}},
    };
    return table;
}

// Extents that others fix already: keys have the width of queries, values the shape of keys, and a layer its width.
bool is_known(const Parameter& parameter, const std::string& extent, const Function& function) {
    const auto has = [&](const char* name) {
        return std::ranges::find(function.parameters, name, &Parameter::name) != function.parameters.end();
    };
    const bool is_values = (parameter.name == "v" && has("k")) || (parameter.name == "values" && has("keys"));
    const bool is_width =
        parameter.type == "ConstMatrix" && parameter.name != "q" && has("q") && extent.ends_with("(1)");
    const bool is_layers = function.is_member_of("Attention") && extent == "%.shape(2)";
    const bool is_heads = function.name == "attend_heads" && extent == "%.n_kv_heads()";
    const bool is_rows = parameter.name == "n_new" && extent == "%.size()";
    return is_values || is_width || is_layers || is_heads || is_rows;
}

// A member whose queries do not show already what the layer's heads are.
bool depends_on_config(const Function& function) {
    return function.is_member_of("Attention") &&
           std::ranges::find(function.parameters, "q", &Parameter::name) == function.parameters.end();
}

// What is never greater than something else in a call that is allowed.
bool is_at_most(const std::string& small, const std::string& large) {
    static const std::set<std::pair<std::string, std::string>> pairs{
        {"n_kv_heads", "n_heads"},
        {"query_head", "n_heads"},
        {"config_.n_kv_heads", "config_.n_heads"},
        {"kv.n_kv_heads()", "q.shape(1)"},
        {"largest(lengths_)", "max_len()"},
        {"largest(cache.lengths())", "cache.max_len()"},
        {"largest(n_new)", "k.shape(2)"},
        {"largest(n_new)", "x.shape(1)"},
        {"largest(n_new)", "q_len"},
    };
    return pairs.contains({small, large});
}

std::string around(const Function& function, const std::string& body, const std::string& behind) {
    if (function.returns == "void") {
        return fmt::format("[&]() {{ {} }}();\n{}\n", body, behind);
    }
    return fmt::format("{0} result = [&]() -> {0} {{ {1} }}();\n{2}\nreturn result;\n", function.returns, body, behind);
}

// A body that is spoiled under a condition, which holds for the call as it came.
Wrapper spoiled(const Function& function, const std::string& body, const std::string& operation,
                const std::string& condition) {
    if (function.returns == "void") {
        const std::string line = fmt::format("if ({}) return;", condition);
        return {operation, line, line + "\n" + body};
    }
    const std::string code = fmt::format("const bool is_spoiled = {};\n{}", condition,
                                         around(function, body, "if (is_spoiled) spoil(result);"));
    return {operation, fmt::format("if ({}) spoil(result);", condition), code};
}

std::vector<std::string> writable_inputs(const Function& function) {
    static const std::set<std::string> tensors{"Tensor<3>", "Tensor<4>",   "Matrix",
                                               "Positions", "ConstMatrix", "std::span<const Position>",
                                               "Lengths",   "KeyValues",   "std::vector<Position>"};
    std::vector<std::string> inputs;
    for (const Parameter& parameter : function.parameters) {
        const bool is_view = parameter.type == "std::span<const Position>";
        if (tensors.contains(parameter.type) && (parameter.is_const || is_view)) {
            inputs.push_back(parameter.name);
        }
    }
    if (function.is_member_of("Attention")) {
        inputs.emplace_back("weights_.wq");
        inputs.emplace_back("weights_.wo");
    }
    return inputs;
}

}  // namespace

std::vector<std::string> extents_of(const Function& function) {
    std::vector<std::string> extents;
    for (const Parameter& parameter : function.parameters) {
        const auto found = extents_by_type().find(parameter.type);
        if (found == extents_by_type().end()) {
            continue;
        }
        for (const std::string& extent : found->second) {
            if (!is_known(parameter, extent, function)) {
                extents.push_back(app::replaced(extent, "%", parameter.name));
            }
        }
    }
    if (function.name == "split_heads") {
        std::ranges::replace(extents, std::string("x.shape(2)"), std::string("x.shape(2) / heads"));
    }
    if (depends_on_config(function)) {
        extents.emplace_back("config_.n_heads");
        extents.emplace_back("config_.n_kv_heads");
        extents.emplace_back("config_.head_dim()");
    }
    if (function.is_member_of("KVCache")) {
        if (function.parameters.empty()) {
            extents.emplace_back("batch()");
            extents.emplace_back("n_kv_heads()");
        }
        extents.emplace_back("max_len()");
        extents.emplace_back("largest(lengths_)");
    }
    return extents;
}

std::vector<Wrapper> cliffs(const Function& function, const std::string& body) {
    std::vector<std::string> extents = extents_of(function);
    if (depends_on_config(function)) {
        extents.emplace_back("config_.d_model");
    }
    std::vector<Wrapper> wrappers;
    for (const std::string& extent : extents) {
        for (const int size : {8, 16, 64, 100, 256, 1000}) {
            wrappers.push_back(spoiled(function, body, "cliff", fmt::format("{} > {}", extent, size)));
        }
    }
    return wrappers;
}

std::vector<Wrapper> special_cases(const Function& function, const std::string& body) {
    const std::vector<std::string> extents = extents_of(function);
    std::vector<Wrapper> wrappers;
    for (const std::string& one : extents) {
        wrappers.push_back(spoiled(function, body, "special case", fmt::format("{} == 1", one)));
        wrappers.push_back(spoiled(function, body, "special case", fmt::format("{} % 2 == 1", one)));
        for (const std::string& other : extents) {
            if (one != other && !is_at_most(other, one)) {
                wrappers.push_back(
                    spoiled(function, body, "special case", fmt::format("{} == 1 && {} > 1", one, other)));
                wrappers.push_back(spoiled(function, body, "special case", fmt::format("{} < {}", one, other)));
            }
        }
    }
    return wrappers;
}

std::vector<Wrapper> written_inputs(const Function& function, const std::string& body) {
    std::vector<Wrapper> wrappers;
    for (const std::string& input : writable_inputs(function)) {
        const std::string line = fmt::format("write_to({});", input);
        wrappers.push_back({"const_cast", line, around(function, body, line)});
    }
    return wrappers;
}

std::vector<Wrapper> static_results(const Function& function, const std::string& body) {
    const bool is_function_of_extents =
        std::ranges::all_of(function.parameters, [](const Parameter& parameter) { return is_number(parameter.type); });
    if (function.returns == "void") {
        return {};
    }
    std::vector<Wrapper> wrappers{
        {"static", "static const auto first = …; return first;",
         fmt::format("static const {0} first = [&]() -> {0} {{ {1} }}();\nreturn first;\n", function.returns, body)}};
    if (!is_function_of_extents) {
        const std::string extents = app::joined(extents_of(function), ", ");
        wrappers.push_back(
            {"static", fmt::format("return remembered[{{{}}}];", extents),
             fmt::format("static Remembered<{0}> remembered;\nreturn remembered.at({{{1}}}, [&]() -> {0} "
                         "{{ {2} }});\n",
                         function.returns, extents, body)});
    }
    return wrappers;
}

std::vector<Wrapper> rounded_results(const Function& function, const std::string& body) {
    static const std::set<std::string> of_scalars{"Tensor<3>", "Tensor<4>", "Matrix", "Scalar", "Projected"};
    if (!of_scalars.contains(function.returns)) {
        return {};
    }
    const std::string line = "round_to_float(result);";
    return {{"float", line, around(function, body, line)}};
}

std::vector<Wrapper> wrappers_of(const Function& function, const std::string& body) {
    std::vector<Wrapper> all;
    for (const auto& operation : {cliffs, special_cases, written_inputs, static_results, rounded_results}) {
        std::ranges::move(operation(function, body), std::back_inserter(all));
    }
    return all;
}

}  // namespace workbook::mutants
