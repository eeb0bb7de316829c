// ./workbook start: makes a part the current one.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/base/system/terminal.hpp"
#include "app/commands/command.hpp"
#include "app/steps/progress.hpp"

namespace workbook::app {

namespace {

// Parts that come before this one and are still empty, although it is graded on top of them.
void warn_of_empty_parts(const Project& project, const Part& part) {
    for (const Part& earlier : project.parts()) {
        if (earlier == part) {
            return;
        }
        if (project.is_untouched(earlier)) {
            std::cout << fmt::format("{}{}, which {}{} needs\n", style_of_output().open("  still empty:   "),
                                     earlier.exercise(), part.is_follow_up ? "" : "part ", part.name);
        }
    }
}

// carry: grade it on top of the learner's files for the other parts.
int start(const Project& project, const Part& part, bool carry) {
    Progress progress(project);
    progress.start(part, carry);
    progress.save();
    const auto [step, title] = project.step_titles(part).front();
    std::cout << style_of_output().bold(part.heading()) << "\n"
              << "  the question:  " << part.folder << "/README.md\n"
              << "  you fill in:   " << part.exercise() << "\n"
              << "  first step:    " << step << "  " << title << "\n"
              << "  graded with:   "
              << (carry ? "your own files of the other parts" : "worked solutions of the other parts") << "\n";
    if (carry) {
        warn_of_empty_parts(project, part);
    }
    std::cout << "\nRead the question, then keep this open beside your editor:\n  ./workbook watch\n";
    return all_passed;
}

const bool start_is_registered = register_command({
    .name = "start",
    .arguments = "PART",
    .summary = "make a part or follow-up the current one",
    .place = 10,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto part = std::make_shared<std::string>();
            const auto carry = std::make_shared<bool>(false);
            add_part(options, *part)->required();
            options.add_flag("--carry", *carry,
                             "until the next start, grade it on top of your own files for the other parts, here and in "
                             "watch and check; without this, on top of the worked solutions");
            return [part, carry](const Call& call) { return start(call.project, call.project.part(*part), *carry); };
        },
});

}  // namespace

}  // namespace workbook::app
