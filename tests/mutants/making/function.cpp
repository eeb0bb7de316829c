#include "tests/mutants/making/function.hpp"

#include <regex>

#include "app/base/text.hpp"
#include "app/steps/source_text.hpp"
#include "app/steps/steps.hpp"

namespace workbook::mutants {

namespace {

Parameter parameter(const std::string& text) {
    static const std::regex pattern(R"(^(const )?(.*[^&*])[&*]* (\w+)$)");
    std::smatch match;
    if (!std::regex_match(text, match, pattern)) {
        return {};
    }
    return {match[2], match[3], match[1].matched};
}

std::vector<Parameter> parameters_in(const std::string& signature) {
    const std::vector<Token> tokens = tokens_of(signature);
    std::size_t opening = 0;
    while (opening < tokens.size() && tokens[opening].text != "(") {
        ++opening;
    }
    std::vector<Parameter> parameters;
    for (const Piece& piece : arguments_of(tokens, opening)) {
        parameters.push_back(parameter(piece.in(signature)));
    }
    return parameters;
}

}  // namespace

std::vector<Function> functions_of(const std::string& answer) {
    const std::string code = steps::code_of(answer);
    std::vector<Function> functions;
    for (const steps::Item& item : steps::items_of(answer)) {
        const std::string step = steps::step_at(answer, item.begin);
        if (item.has_body && !item.name.empty() && !step.empty()) {
            const std::string returns = item.signature.substr(0, item.signature.find(item.name) - 1);
            const Piece body{code.find('{', item.begin) + 1, item.end - 1};
            functions.push_back({step, item.name, returns, parameters_in(item.signature), body});
        }
    }
    return functions;
}

}  // namespace workbook::mutants
