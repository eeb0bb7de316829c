#include "app/commands/run_workbook.hpp"

#include <fmt/format.h>

#include <iostream>

#include "app/base/layout.hpp"
#include "app/base/system/child.hpp"
#include "app/base/system/process.hpp"
#include "app/build/graded_files.hpp"
#include "app/build/inclusion.hpp"
#include "app/commands/command.hpp"
#include "app/commands/help.hpp"
#include "app/steps/exercises/exercises.hpp"

namespace workbook::app {

namespace {

int fail(int code, const std::string& message) {
    std::cerr << message << "\n";
    return code;
}

// Commands for which the graded programs are prepared read the learner's files.
Project project_for(const Command& command, const Folders& folders) {
    Project project(folders.source, folders.build);
    if (command.target.ends_with("prepared")) {
        for (const std::string& line : refresh_exercises(project)) {
            std::cerr << wrapped(line, "");
        }
    }
    return project;
}

int run_named(const Command& command, const Folders& folders, const std::vector<std::string>& words) {
    catch_interrupts();
    adopt_orphans();
    try {
        return run_command(command, project_for(command, folders), words);
    } catch (const CLI::ParseError& error) {
        const std::string help = command.name.empty() ? "help" : command.name + " --help";
        return fail(wrong_use, fmt::format("{}\nTry ./workbook {}.", error.what(), help));
    } catch (const Interrupted&) {
        return fail(interrupted_by_user, "\ninterrupted");
    } catch (const WrongUse& error) {
        return fail(wrong_use, error.what());
    } catch (const UnknownName& error) {
        return fail(wrong_use, error.what());
    } catch (const UnusableFile& error) {
        return fail(wrong_use, error.what());
    } catch (const MissingFile& error) {
        return fail(wrong_use, fmt::format("{}; ./workbook reset PART brings back the empty exercise", error.what()));
    } catch (const std::exception& error) {
        return fail(broken_workbook, error.what());
    }
}

}  // namespace

int run_workbook(const Folders& folders, const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{write_help_option}) {
        std::cout << help_text(folders.source);
        return all_passed;
    }
    const std::string name = words.empty() ? "" : words.front();
    const auto command = command_named(name);
    if (!command) {
        return fail(wrong_use, fmt::format("There is no command '{}'. Try ./workbook help.", name));
    }
    return run_named(*command, folders, {words.begin() + (words.empty() ? 0 : 1), words.end()});
}

}  // namespace workbook::app
