#include "app/judge/next_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/text.hpp"

namespace workbook::app {

namespace {

// The first test that waits for a step other than its own.
const TestResult* waiting_test(const StepResult& step) {
    const auto waiting = std::ranges::find_if(step.tests, [&](const TestResult& test) {
        return test.outcome == Outcome::not_attempted && !test.misses_own_step();
    });
    return waiting == step.tests.end() ? nullptr : &*waiting;
}

// What to do about functions that the file does not define.
std::string how_to_define(const StepResult& step, const std::string& what) {
    std::vector<std::string> names;
    for (const UndefinedFunction& function : step.undefined) {
        names.push_back(function.name);
    }
    return fmt::format("Next: define {} for {} with the name and the parameters that the header declares",
                       enumerated(names), what);
}

NextStep next_to_compile(const PartResult& result) {
    const UncompiledStep& first = result.uncompiled.front();
    const bool is_own = std::ranges::find(result.steps, first.step, &StepResult::step) != result.steps.end();
    return {fmt::format("Next: fix step {} in {}, which does not compile", first.step, first.file),
            is_own ? first.step : ""};
}

NextStep next_in(const StepResult& step, const Project& project, const Request& request, const Part& part) {
    if (const TestResult* waiting = waiting_test(step)) {
        return {fmt::format("Next: {} {}, which step {} waits for", waiting->lack == Lack::empty ? "fill in" : "define",
                            waiting->missing(), step.step),
                ""};
    }
    const std::string what =
        fmt::format("step {} ({}) in {}", step.step, step.title, GradedFiles(project, request, part).graded_from());
    if (!step.undefined.empty() && step.count(Outcome::failed) == 0) {
        return {how_to_define(step, what), step.step};
    }
    if (!step.attempted()) {
        return {fmt::format("Next: read {}/README.md and fill in {}", part.folder, what), step.step};
    }
    if (request.source == Source::all_mine) {
        return {fmt::format("Next: fix {} (or a part it builds on, when ./workbook check {} passes)", what, part.name),
                step.step};
    }
    return {"Next: fix " + what, step.step};
}

}  // namespace

NextStep next_step(const Project& project, const Request& request, const std::vector<PartResult>& parts) {
    const auto broken = std::ranges::find_if(parts, [](const PartResult& part) { return !part.build_errors.empty(); });
    if (broken != parts.end()) {
        return {"Next: fix " + broken->to_fix, ""};
    }
    for (const PartResult& result : parts) {
        if (!result.uncompiled.empty()) {
            return next_to_compile(result);
        }
        const auto step = std::ranges::find_if_not(result.steps, &StepResult::passed);
        if (step != result.steps.end()) {
            return next_in(*step, project, request, project.part(result.part));
        }
    }
    return {};
}

}  // namespace workbook::app
