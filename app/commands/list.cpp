// ./workbook list: the steps with points and state.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/base/layout.hpp"
#include "app/commands/command.hpp"
#include "app/judge/own.hpp"
#include "app/judge/verdict.hpp"
#include "app/show/report.hpp"

namespace workbook::app {

namespace {

// "passed", with the day on which it first did.
std::string state_with_day(const StepResult& step, const Progress& progress, const Style& style) {
    const auto day = progress.first_passed(step.step);
    if (step.passed()) {
        return style.good("passed") + (day ? ", first on " + *day : "");
    }
    const std::string state = step.begun() ? style.bad(state_of(step)) : state_of(step);
    return state + (day ? ", passed on " + *day : "");
}

void print_steps(const PartResult& part, const Progress& progress, const Style& style) {
    if (!part.build_errors.empty()) {
        std::cout << style.bold(part.heading) << ", " << style.bad("does not build") << "\n";
        return;
    }
    std::cout << style.bold(padded(part.heading, 37)) << points_text(part) << "  "
              << painted_rating(verdict_of(part.steps), style) << "\n";
    for (const StepResult& step : part.steps) {
        std::cout << fmt::format("{} {}  {}{:3}/{:<5}{}\n", style.symbols ? symbol_of(step, style) : " ", step.step,
                                 padded(step.title, 30), step.points(), step.max_points(),
                                 state_with_day(step, progress, style));
    }
}

std::string outcome_of(const TestResult& test, const StepResult& step, const Style& style) {
    if (!step.compiles) {
        return style.bad("does not compile");
    }
    switch (test.outcome) {
        case Outcome::passed: return style.good("passed");
        case Outcome::failed: return style.bad("failed");
        case Outcome::not_attempted: return "not attempted";
        case Outcome::skipped: return "skipped";
    }
    return "";
}

// The tests of a step, with the words that `check STEP TEST` takes.
int list_tests_of(const Project& project, const Chosen& named) {
    const Style style = style_of_output();
    const PartResult result = grade_own(project, named.part, named.steps);
    if (!result.build_errors.empty()) {
        print_steps(result, Progress(project), style);
        return all_passed;
    }
    for (const StepResult& step : result.steps) {
        std::cout << style.bold(fmt::format("{}  {}", step.step, step.title)) << "\n";
        for (const TestResult& test : step.tests) {
            const std::string level = test.test.level == Level::hire ? "" : ", for strong hire";
            std::cout << fmt::format("{}    {} of {} points, {}{}\n", wrapped(test.test.sentence(), "  "),
                                     test.outcome == Outcome::passed ? test.test.points : 0, test.test.points,
                                     outcome_of(test, step, style), level);
        }
    }
    return all_passed;
}

int list(const Project& project, const std::vector<Part>& parts) {
    for (const Part& part : parts) {
        std::cout << (part == parts.front() ? "" : "\n");
        const PartResult result = grade_own(project, part);
        print_steps(result, Progress(project), style_of_output());
    }
    return all_passed;
}

const bool list_is_registered = register_command({
    .name = "list",
    .arguments = "[PART|STEP]",
    .summary = "show the steps, or the tests of a step, with points and state",
    .place = 40,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto part = std::make_shared<std::string>();
            add_part(options, *part, part_or_step);
            return [part](const Call& call) {
                const Project& project = call.project;
                if (part->empty()) {
                    return list(project, project.all());
                }
                const Chosen named = chosen(project, *part);
                return named.steps.empty() ? list(project, {named.part}) : list_tests_of(project, named);
            };
        },
});

}  // namespace

}  // namespace workbook::app
