#include "app/judge/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/text.hpp"

namespace workbook::app {

namespace {

// Sentences of tests with a level and an outcome, over all steps.
std::vector<std::string> sentences(const std::vector<StepResult>& steps, Level level, Outcome outcome) {
    std::vector<std::string> found;
    for (const StepResult& step : steps) {
        for (const TestResult& result : step.tests) {
            if (result.test.level == level && result.outcome == outcome) {
                found.push_back(result.test.sentence());
            }
        }
    }
    return found;
}

std::string some_joined(const std::vector<std::string>& items, const std::string& separator, std::size_t most) {
    if (items.size() <= most) {
        return joined(items, separator);
    }
    std::vector<std::string> shown(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(most));
    shown.push_back(fmt::format("and {} more", items.size() - most));
    return joined(shown, separator);
}

// Steps with a test of that level for which something is missing: "not attempted yet: 1.2; not defined, or with other
// parameters: softmax_rows (1.2)". Empty when there is none.
std::string missing_text(const std::vector<StepResult>& steps, Level level) {
    std::vector<std::string> empty;
    std::vector<std::string> undefined;
    for (const StepResult& step : steps) {
        if (step.compiles && !sentences({step}, level, Outcome::not_attempted).empty()) {
            for (const UndefinedFunction& function : step.undefined) {
                undefined.push_back(fmt::format("{} ({})", function.name, step.step));
            }
            if (step.undefined.empty()) {
                empty.push_back(step.step);
            }
        }
    }
    const std::string attempts = empty.empty() ? "" : "not attempted yet: " + some_joined(empty, ", ", 9);
    const std::string functions =
        undefined.empty() ? "" : "not defined, or with other parameters: " + some_joined(undefined, ", ", 9);
    return attempts + (empty.empty() || undefined.empty() ? "" : "; ") + functions;
}

// Steps with tests of that level that do not compile.
std::vector<std::string> broken_steps(const std::vector<StepResult>& steps, Level level) {
    std::vector<std::string> found;
    for (const StepResult& step : steps) {
        if (!step.compiles &&
            std::ranges::any_of(step.tests, [&](const TestResult& result) { return result.test.level == level; })) {
            found.push_back(step.step);
        }
    }
    return found;
}

// "step 2.2 does not compile; these fail: …"; empty when nothing is wrong at that level.
std::string failing_text(const std::vector<StepResult>& steps, Level level) {
    const std::vector<std::string> broken = broken_steps(steps, level);
    const std::vector<std::string> tests = sentences(steps, level, Outcome::failed);
    std::string builds;
    if (broken.size() == 1) {
        builds = fmt::format("step {} does not compile", broken.front());
    } else if (!broken.empty()) {
        builds = fmt::format("steps {} do not compile", some_joined(broken, ", ", 9));
    }
    const std::string fails = tests.empty() ? "" : "these fail: " + some_joined(tests, "; ", 3);
    return builds + (builds.empty() || fails.empty() ? "" : "; ") + fails;
}

}  // namespace

PartResult result_of(const Part& part, const std::string& graded_from) {
    PartResult result;
    result.part = part.name;
    result.heading = part.heading();
    result.title = part.title;
    result.graded_from = graded_from;
    return result;
}

std::vector<StepResult> by_step(const std::vector<TestResult>& results, const std::vector<steps::StepTitle>& titles) {
    std::vector<StepResult> steps;
    steps.reserve(titles.size());
    for (const auto& [number, title] : titles) {
        steps.push_back({number, title, {}});
    }
    for (const TestResult& result : results) {
        std::ranges::find(steps, result.test.step, &StepResult::step)->tests.push_back(result);
    }
    std::erase_if(steps, [](const StepResult& step) { return step.tests.empty(); });
    return steps;
}

std::string rating_text(Rating rating) {
    switch (rating) {
        case Rating::not_attempted: return "not attempted";
        case Rating::unfinished: return "unfinished";
        case Rating::weak: return "weak";
        case Rating::hire: return "hire";
        case Rating::strong_hire: return "strong hire";
    }
    return "";
}

Verdict verdict_of(const std::vector<StepResult>& steps) {
    if (std::ranges::none_of(steps, &StepResult::begun)) {
        return {Rating::not_attempted, "no step is filled in yet"};
    }
    if (const std::string failing = failing_text(steps, Level::hire); !failing.empty()) {
        return {Rating::weak, "for hire, " + failing};
    }
    if (const std::string missing = missing_text(steps, Level::hire); !missing.empty()) {
        return {Rating::unfinished, "right so far; " + missing};
    }
    if (const std::string failing = failing_text(steps, Level::strong_hire); !failing.empty()) {
        return {Rating::hire, "for strong hire, " + failing};
    }
    if (const std::string missing = missing_text(steps, Level::strong_hire); !missing.empty()) {
        return {Rating::hire, "for strong hire, " + missing};
    }
    return {Rating::strong_hire, "everything passes"};
}

}  // namespace workbook::app
