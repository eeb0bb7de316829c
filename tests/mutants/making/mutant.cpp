#include "tests/mutants/making/mutant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/mutants/making/operators.hpp"
#include "tests/mutants/making/wrappers.hpp"

namespace workbook::mutants {

namespace {

// What a body is called in the compiler's messages.
std::string file_of(int number) {
    return fmt::format("mutant_{}", number);
}

std::string branch(const std::string& label, const std::string& file, const Function& function,
                   const std::string& body) {
    const bool gives_nothing = function.returns == "void";
    return fmt::format("{}: {} [&]() -> {} {{\n#line 1 \"{}\"\n{}\n}}();{}\n", label, gives_nothing ? "" : "return",
                       function.returns, file, body, gives_nothing ? " return;" : "");
}

}  // namespace

std::string Mutant::lines() const {
    const std::string number = occurrence == 1 ? "" : fmt::format("  ({})", occurrence);
    return (before.empty() ? "" : fmt::format("-{}\n", before)) + fmt::format("+{}{}\n", after, number);
}

std::vector<Mutant> mutants_of(const std::string& base, const std::string& answer, const Function& function) {
    const std::string body = function.body.in(answer);
    std::vector<Mutant> mutants;
    std::set<std::string> bodies{body};
    std::map<std::string, int> occurrences;
    const auto add = [&](Mutant mutant) {
        if (bodies.insert(mutant.body).second) {
            mutant.occurrence = ++occurrences[mutant.lines()];
            mutants.push_back(std::move(mutant));
        }
    };
    for (const Change& change : changes_of(body)) {
        add({base, function.step, function.name, change.operation, change.line_before(body), change.line_after(body), 1,
             change.applied(body)});
    }
    for (const Wrapper& wrapper : wrappers_of(function, body)) {
        add({base, function.step, function.name, wrapper.operation, "", wrapper.line, 1, wrapper.body});
    }
    return mutants;
}

std::vector<Mutant> mutants_of(const std::string& base, const std::string& answer, const std::string& step,
                               const std::vector<std::string>& operations) {
    std::vector<Mutant> all;
    for (const Function& function : functions_of(answer)) {
        if (function.step == step) {
            std::ranges::move(mutants_of(base, answer, function), std::back_inserter(all));
        }
    }
    std::erase_if(all, [&](const Mutant& mutant) {
        return !operations.empty() && std::ranges::find(operations, mutant.operation) == operations.end();
    });
    return all;
}

std::string text_with(const std::string& answer, const std::string& step, const std::vector<Mutant>& mutants,
                      const std::vector<int>& numbers) {
    std::string text = answer;
    std::vector<Function> functions = functions_of(answer);
    std::ranges::reverse(functions);  // so that places further up stay what they are
    for (const Function& function : functions) {
        std::string branches;
        for (std::size_t i = 0; i < mutants.size() && function.step == step; ++i) {
            if (mutants[i].function == function.name) {
                branches += branch(fmt::format("case {}", numbers[i]), file_of(numbers[i]), function, mutants[i].body);
            }
        }
        if (!branches.empty()) {
            branches += branch("default", "right", function, function.body.in(answer));
            text.replace(function.body.begin, function.body.end - function.body.begin,
                         fmt::format("\nswitch (mutants::chosen()) {{\n{}}}\n", branches));
        }
    }
    const std::string use =
        "#include \"tests/mutants/making/wrong.hpp\"\nnamespace workbook { using namespace mutants; }\n";
    const std::size_t place = text.find("namespace workbook");
    return text.insert(place, use);
}

std::vector<int> broken_in(const std::string& log) {
    static const std::regex place(R"(\bmutant_(\d+):\d+:\d+:\s+(?:(?:fatal )?error|required from here|  required))");
    std::set<int> numbers;
    for (std::sregex_iterator match(log.begin(), log.end(), place); match != std::sregex_iterator(); ++match) {
        numbers.insert(std::stoi((*match)[1]));
    }
    return {numbers.begin(), numbers.end()};
}

}  // namespace workbook::mutants
