// ./workbook solution: the worked step.
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
#include "app/steps/steps.hpp"

namespace workbook::app {

namespace {

// The prose under a step's first line, broken to the terminal's width, then its functions as they are.
std::string set_step(const std::string& section, const Style& style) {
    const std::vector<std::string> lines = lines_of(section);
    const auto first_code =
        std::find_if(lines.begin() + 1, lines.end(), [](const std::string& line) { return !line.starts_with("//"); });
    std::string prose;
    for (auto line = lines.begin() + 1; line != first_code; ++line) {
        prose += line->substr(2) + " ";
    }
    const std::string heading = lines.front().substr(lines.front().find("Step"));
    const std::string code = joined({first_code, lines.end()}, "\n");
    return fmt::format("{}\n\n{}{}\n", style.bold(heading), wrapped(prose, ""), code);
}

// Asks first while the learner's own does not pass.
int solution(const Project& project, const std::string& step, bool asks) {
    const Part& part = project.part_of_step(step);
    if (asks && !has_passed(grade_own(project, part, {step}), step) &&
        !confirmed(fmt::format("Step {} does not pass yet. Show its solution?", step))) {
        return not_all_passed;
    }
    std::cout << set_step(steps::section_of(read_file(project.solution(part)), step), style_of_output());
    return all_passed;
}

const bool solution_is_registered = register_command({
    .name = "solution",
    .arguments = "STEP",
    .summary = "show the worked step; asks first if yours does not pass",
    .place = 60,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto step = std::make_shared<std::string>();
            const auto yes = std::make_shared<bool>(false);
            options.add_option("STEP", *step, "a step, such as 1.3")->required();
            options.add_flag("--yes", *yes, "do not ask first");
            return [step, yes](const Call& call) { return solution(call.project, *step, !*yes); };
        },
});

}  // namespace

}  // namespace workbook::app
