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
    .arguments = "[PART]",
    .summary = "show the steps, their points and their state",
    .place = 40,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto part = std::make_shared<std::string>();
            add_part(options, *part);
            return [part](const Call& call) {
                const Project& project = call.project;
                return list(project, part->empty() ? project.all() : std::vector<Part>{project.part(*part)});
            };
        },
});

}  // namespace

}  // namespace workbook::app
