#include "app/results/results.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

namespace workbook::app {

namespace {

int sum_over(const std::vector<StepResult>& steps, int (StepResult::*number)() const) {
    return std::accumulate(steps.begin(), steps.end(), 0,
                           [&](int sum, const StepResult& step) { return sum + (step.*number)(); });
}

}  // namespace

std::string words_of(const std::string& camel_case) {
    static const std::map<std::string, std::string> as_written{{"nan", "NaN"}, {"t", "T"}};
    std::vector<std::string> words;
    for (const char c : camel_case) {
        if (words.empty() || std::isupper(static_cast<unsigned char>(c)) != 0) {
            words.emplace_back();
        }
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    std::string text;
    for (const std::string& word : words) {
        const auto special = as_written.find(word);
        text += (text.empty() ? "" : " ") + (special == as_written.end() ? word : special->second);
    }
    return text;
}

std::string GradedTest::sentence() const {
    return suite + " " + words_of(name);
}

bool TestResult::misses_own_step() const {
    return outcome == Outcome::not_attempted && missing_step == test.step;
}

std::string TestResult::missing() const {
    return missing_step + (missing_function.empty() ? "" : " " + missing_function);
}

std::string TestResult::missing_text() const {
    if (outcome != Outcome::not_attempted) {
        return "";
    }
    switch (lack) {
        case Lack::empty: return missing() + " is not implemented yet";
        case Lack::undefined: return missing() + " is not defined, or with other parameters";
        case Lack::uncompiled: return missing() + " does not compile";
    }
    return "";
}

std::string level_text(Level level) {
    switch (level) {
        case Level::hire: return "hire";
        case Level::strong_hire: return "strong hire";
    }
    return "";
}

int StepResult::count(Outcome outcome) const {
    return static_cast<int>(
        std::ranges::count_if(tests, [&](const TestResult& result) { return result.outcome == outcome; }));
}

int StepResult::points() const {
    int sum = 0;
    for (const TestResult& result : tests) {
        sum += result.outcome == Outcome::passed ? result.test.points : 0;
    }
    return sum;
}

int StepResult::max_points() const {
    int sum = 0;
    for (const TestResult& result : tests) {
        sum += result.test.points;
    }
    return sum;
}

bool StepResult::attempted() const {
    return !compiles || count(Outcome::passed) + count(Outcome::failed) > 0;
}

bool StepResult::begun() const {
    return attempted() || !undefined.empty();
}

bool StepResult::passed() const {
    return compiles && count(Outcome::failed) + count(Outcome::not_attempted) == 0;
}

bool PartResult::passed() const {
    return build_errors.empty() && uncompiled.empty() && std::ranges::all_of(steps, &StepResult::passed);
}

int PartResult::points() const {
    return sum_over(steps, &StepResult::points);
}

int PartResult::max_points() const {
    return sum_over(steps, &StepResult::max_points);
}

int PartResult::compared() const {
    int sum = 0;
    for (const StepResult& step : steps) {
        for (const TestResult& test : step.tests) {
            sum += test.compared;
        }
    }
    return sum;
}

int PartResult::steps_passed() const {
    return static_cast<int>(std::ranges::count_if(steps, &StepResult::passed));
}

int PartResult::n_steps() const {
    return static_cast<int>(steps.size());
}

bool has_passed(const PartResult& part, const std::string& step) {
    const auto found = std::ranges::find(part.steps, step, &StepResult::step);
    return found != part.steps.end() && found->passed();
}

std::string state_of(const StepResult& step) {
    if (!step.compiles) {
        return "does not compile";
    }
    if (!step.attempted() && !step.passed()) {
        return step.undefined.empty() ? "not attempted" : "not defined";
    }
    const int total = static_cast<int>(step.tests.size()) - step.count(Outcome::skipped);
    return std::to_string(step.count(Outcome::passed)) + " of " + std::to_string(total) + " tests";
}

}  // namespace workbook::app
