// ./workbook alone: where the learner is, and what is next.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/base/layout.hpp"
#include "app/commands/command.hpp"
#include "app/judge/next_step.hpp"
#include "app/judge/own.hpp"
#include "app/judge/verdict.hpp"
#include "app/show/report.hpp"
#include "app/steps/exercises/exercises.hpp"

namespace workbook::app {

namespace {

std::string part_line(const PartResult& result, const Part& part, bool is_current, const Style& style) {
    const std::string name = padded(part.label() + "  " + part.title, 39);
    const std::string line = (is_current ? "> " + style.bold(name) : "  " + name);
    if (!result.build_errors.empty()) {
        return line + style.bad("does not build") + "\n";
    }
    return fmt::format("{}{}  {}{} of {} steps\n", line, points_text(result),
                       padded(painted_rating(verdict_of(result.steps), style), 15), result.steps_passed(),
                       result.n_steps());
}

void print_next(const Project& project, const std::vector<PartResult>& parts, const Part& current) {
    const auto open = std::ranges::find_if_not(parts, &PartResult::passed);
    if (open == parts.end()) {
        std::cout << "All three parts pass. ./workbook diff " << current.name
                  << " shows your file beside the worked one.\n";
        return;
    }
    if (open->part != current.name) {
        std::cout << current.label() << " is done. Next:\n  ./workbook start " << open->part << "\n";
        return;
    }
    const NextStep next = next_step(project, {}, {*open});
    std::cout << wrapped(next.sentence + ".", "") << "\n"
              << "  ./workbook watch       grades every time you save\n";
    if (!next.step.empty()) {
        std::cout << "  ./workbook hint " << next.step << "    gives a hint\n";
    }
}

// The three parts, and a follow-up when that is the current one.
std::vector<Part> shown_parts(const Project& project, const Part& current) {
    std::vector<Part> parts = project.parts();
    if (current.is_follow_up) {
        parts.push_back(current);
    }
    return parts;
}

void print_outdated(const Project& project, const Style& style) {
    for (const Part& part : project.all()) {
        if (is_outdated(project, part)) {
            const std::string text = fmt::format(
                "{} since you began {}. ./workbook update brings your file up to date and keeps what you wrote.",
                style.open("The exercise has changed"), part.exercise());
            std::cout << "\n" << wrapped(text, "  ");
        }
    }
}

int overview(const Project& project) {
    const Progress progress(project);
    const Part& current = project.part(progress.current_part());
    const Style style = style_of_output();
    std::vector<PartResult> results;
    for (const Part& part : shown_parts(project, current)) {
        results.push_back(grade_own(project, part));
        std::cout << part_line(results.back(), part, part == current, style) << std::flush;
    }
    if (progress.carries()) {
        std::cout << "\n" << wrapped("with: " + carried_text(current), "  ");
    }
    print_outdated(project, style);
    std::cout << "\n";
    // The current part first, then those after it.
    std::rotate(results.begin(), std::ranges::find(results, current.name, &PartResult::part), results.end());
    print_next(project, results, current);
    return all_passed;
}

const bool overview_is_registered = register_command({
    .name = "",
    .arguments = "",
    .summary = "show where you are and what comes next",
    .place = 0,
    .target = "prepared",
    .describe = [](CLI::App&) { return [](const Call& call) { return overview(call.project); }; },
});

}  // namespace

}  // namespace workbook::app
