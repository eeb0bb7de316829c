#include "app/judge/verdict.hpp"

#include <algorithm>

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

std::vector<std::string> steps_with(const std::vector<StepResult>& steps, Level level, Outcome outcome) {
    std::vector<std::string> found;
    for (const StepResult& step : steps) {
        if (!sentences({step}, level, outcome).empty()) {
            found.push_back(step.step);
        }
    }
    return found;
}

std::string join(const std::vector<std::string>& items, const std::string& separator, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
        text += (i == 0 ? "" : separator) + items[i];
    }
    return items.size() > most ? text + separator + "and " + std::to_string(items.size() - most) + " more" : text;
}

std::string missing_text(const std::vector<std::string>& steps) {
    return "not attempted yet: " + join(steps, ", ", 9);
}

std::string failing_text(const std::vector<std::string>& tests) {
    return "these fail: " + join(tests, "; ", 3);
}

}  // namespace

std::vector<StepResult> by_step(const std::vector<TestResult>& results,
                                const std::map<std::string, std::string>& titles) {
    std::vector<StepResult> steps;
    steps.reserve(titles.size());
    for (const auto& [number, title] : titles) {
        steps.push_back({number, title, {}});
    }
    for (const TestResult& result : results) {
        std::ranges::find(steps, result.test.step, &StepResult::step)->tests.push_back(result);
    }
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
    if (std::ranges::none_of(steps, &StepResult::attempted)) {
        return {Rating::not_attempted, "no step is filled in yet"};
    }
    const std::vector<std::string> failing = sentences(steps, Level::hire, Outcome::failed);
    if (!failing.empty()) {
        return {Rating::weak, "for hire, " + failing_text(failing)};
    }
    const std::vector<std::string> missing = steps_with(steps, Level::hire, Outcome::not_attempted);
    if (!missing.empty()) {
        return {Rating::unfinished, "right so far; " + missing_text(missing)};
    }
    const std::vector<std::string> strong_failing = sentences(steps, Level::strong_hire, Outcome::failed);
    if (!strong_failing.empty()) {
        return {Rating::hire, "for strong hire, " + failing_text(strong_failing)};
    }
    const std::vector<std::string> strong_missing = steps_with(steps, Level::strong_hire, Outcome::not_attempted);
    if (!strong_missing.empty()) {
        return {Rating::hire, "for strong hire, " + missing_text(strong_missing)};
    }
    const bool all = std::ranges::all_of(steps, &StepResult::passed);
    return {Rating::strong_hire, all ? "everything passes" : "everything but the bonus passes"};
}

}  // namespace workbook::app
