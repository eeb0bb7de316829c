#include "app/judge/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/steps/source_text.hpp"

namespace workbook::app {

namespace {

using steps::Item;

// How many letters have to be changed, added or left out to make one name of another.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

constexpr int not_close = 3;

// How far a function of the file is from the wanted one; 0 is the closest.
int farness(const Item& item, const std::string& function, const std::string& signature) {
    constexpr std::size_t few_letters = 2;
    if (item.name == function) {
        return 0;
    }
    if (distance(item.name, function) <= few_letters) {
        return 1;
    }
    return !signature.empty() && steps::parameters_of(item.signature) == steps::parameters_of(signature) ? 2
                                                                                                         : not_close;
}

bool is_uncompiled(const PartResult& result, const std::string& step) {
    return std::ranges::find(result.uncompiled, step, &UncompiledStep::step) != result.uncompiled.end();
}

// Adds the function that a test missed to those of its step.
void note(const TestResult& test, const std::vector<steps::StepFunction>& functions, const NamedFile& file,
          StepResult& step) {
    const std::string& name = test.missing_function;
    if (std::ranges::find(step.undefined, name, &UndefinedFunction::name) != step.undefined.end()) {
        return;
    }
    const auto found = std::ranges::find_if(functions, [&](const steps::StepFunction& function) {
        return function.step == step.step && function.name == name;
    });
    const std::string signature = found == functions.end() ? "" : found->signature;
    step.undefined.push_back({name, signature, resembling(read_file(file.path), file.name, name, signature)});
}

}  // namespace

Found resembling(const std::string& text, const std::string& name, const std::string& function,
                 const std::string& signature) {
    int closest = not_close;
    Found found;
    for (const Item& item : steps::items_of(text)) {
        const bool is_function = item.has_body && !item.name.empty();
        const int distance = is_function ? farness(item, function, signature) : not_close;
        if (distance < closest) {
            closest = distance;
            found = {fmt::format("{}:{}", name, steps::line_at(text, item.begin)), harmless(item.signature)};
        }
    }
    return found;
}

void explain_missing(const Project& project, const GradedFiles& files, PartResult& result) {
    const std::vector<steps::StepFunction> functions = steps::step_functions_of(project.skeleton(files.part()));
    const NamedFile file{files.file_of(files.part()), files.graded_from()};
    for (StepResult& step : result.steps) {
        step.compiles = !is_uncompiled(result, step.step);
        for (TestResult& test : step.tests) {
            if (test.outcome != Outcome::not_attempted || test.lack != Lack::undefined) {
                continue;
            }
            if (is_uncompiled(result, test.missing_step)) {
                test.lack = Lack::uncompiled;
            } else if (test.misses_own_step()) {
                note(test, functions, file, step);
            }
        }
    }
}

}  // namespace workbook::app
