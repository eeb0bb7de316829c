// ./workbook diff: the learner's steps beside the worked ones, where they differ.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/system/terminal.hpp"
#include "app/base/text.hpp"
#include "app/commands/command.hpp"
#include "app/judge/own.hpp"
#include "app/show/compare.hpp"
#include "app/steps/steps.hpp"

namespace workbook::app {

namespace {

// A step's functions, without its first line and the prose under it.
std::string code_of(const std::string& section) {
    std::string code;
    for (const std::string& line : lines_of(section)) {
        code += code.empty() && (line.empty() || line.starts_with("//")) ? "" : line + "\n";
    }
    return code;
}

// The code of a step in both files, where it differs.
struct Difference {
    std::string step;  // empty for what comes before the first step
    std::string mine;
    std::string worked;
};

std::vector<Difference> differences_in(const Project& project, const Part& part) {
    const std::string mine = read_file(project.exercise(part));
    std::vector<Difference> differences;
    for (const steps::Section& worked : steps::sections_of(read_file(project.solution(part)))) {
        const Difference one{worked.step, code_of(steps::section_of(mine, worked.step)), code_of(worked.text)};
        if (one.mine != one.worked) {
            differences.push_back(one);
        }
    }
    return differences;
}

// Leaves out what does not pass, unless the learner wants to see it. False when something was left out.
bool leave_out_unpassed(std::vector<Difference>& differences, const PartResult& part) {
    const auto is_unpassed = [&](const Difference& one) { return !one.step.empty() && !has_passed(part, one.step); };
    std::vector<std::string> unpassed;
    for (const Difference& one : differences) {
        if (is_unpassed(one)) {
            unpassed.push_back(one.step);
        }
    }
    if (unpassed.empty()) {
        return true;
    }
    const std::string question =
        unpassed.size() == 1 ? fmt::format("Step {} does not pass yet. Show its solution?", unpassed.front())
                             : fmt::format("Steps {} do not pass yet. Show their solutions?", enumerated(unpassed));
    if (confirmed(question)) {
        return true;
    }
    std::erase_if(differences, is_unpassed);
    return false;
}

void print_difference(const Difference& one, const std::vector<steps::StepTitle>& titles, const Style& style) {
    const auto step = std::ranges::find(titles, one.step, &steps::StepTitle::step);
    const std::string title =
        step == titles.end() ? "Before the first step" : fmt::format("Step {}: {}", step->step, step->title);
    std::cout << "\n" << style.bold(title) << "\n\n";
    if (one.mine.empty()) {
        std::cout << wrapped(fmt::format("Your file has nothing under a line \"// {}\".", title), "  ");
        return;
    }
    std::cout << compared(one.mine, one.worked, terminal_size().columns, style);
}

// Asks before it shows steps that do not pass.
int diff(const Project& project, const Part& part) {
    const PartResult result = grade_own(project, part);
    std::vector<Difference> differences = differences_in(project, part);
    const bool all_shown = leave_out_unpassed(differences, result);
    if (differences.empty()) {
        std::cout << (all_shown ? part.exercise() + " is the worked solution, word for word.\n"
                                : "The other steps are as in the worked solution.\n");
        return all_shown ? all_passed : not_all_passed;
    }
    const Style style = style_of_output();
    std::cout << legend(part.exercise(), part.solution(), terminal_size().columns, style);
    for (const Difference& one : differences) {
        print_difference(one, project.step_titles(part), style);
    }
    return all_shown ? all_passed : not_all_passed;
}

const bool diff_is_registered = register_command({
    .name = "diff",
    .arguments = "PART",
    .summary = "show your file beside the worked solution, step by step; asks before it shows steps that do not pass",
    .place = 70,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto part = std::make_shared<std::string>();
            add_part(options, *part)->required();
            return [part](const Call& call) { return diff(call.project, call.project.part(*part)); };
        },
});

}  // namespace

}  // namespace workbook::app
