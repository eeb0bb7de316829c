// ./workbook reset: the empty exercise in place of the learner's file, which is kept as a backup.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/base/files.hpp"
#include "app/base/system/terminal.hpp"
#include "app/commands/command.hpp"
#include "app/steps/exercises/backup.hpp"
#include "app/steps/exercises/exercises.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

int reset(const Project& project, const Part& part) {
    const fs::path file = project.exercise(part);
    const std::string name = part.exercise();
    if (!fs::exists(file)) {
        write_atomically(file, project.skeleton(part));
        std::cout << name << " was missing; the empty exercise is there now.\n";
        return all_passed;
    }
    if (project.is_untouched(part)) {
        std::cout << name << " is the empty exercise already; nothing to do.\n";
        return all_passed;
    }
    if (!confirmed(fmt::format("Empty {}? Your file is kept as a backup.", name))) {
        std::cout << "Nothing was changed.\n";
        return not_all_passed;
    }
    const fs::path kept = replace_with_backup(file, project.skeleton(part), backup_name(project, part));
    note_skeleton(project, part);
    std::cout << fmt::format(
        "{0} is the empty exercise now.\nYour file is kept; to get it back, here in {1}:\n  cp {2} {0}\n", name,
        project.source.string(), fs::relative(kept, project.source).string());
    return all_passed;
}

const bool reset_is_registered = register_command({
    .name = "reset",
    .arguments = "PART",
    .summary = "empty your file; asks first and keeps a backup",
    .place = 80,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto part = std::make_shared<std::string>();
            add_part(options, *part)->required();
            return [part](const Call& call) { return reset(call.project, call.project.part(*part)); };
        },
});

}  // namespace

}  // namespace workbook::app
