// The commands behind ./workbook. The launcher has installed, configured and built what they need.
#include <iostream>

#include "app/base/child.hpp"
#include "app/base/layout.hpp"
#include "app/base/process.hpp"
#include "app/build/graded_files.hpp"
#include "app/build/inclusion.hpp"
#include "app/commands/command.hpp"
#include "app/commands/help.hpp"
#include "app/steps/exercises.hpp"

namespace {

namespace app = workbook::app;

int fail(int code, const std::string& message) {
    std::cerr << message << "\n";
    return code;
}

// Commands for which the graded programs are prepared read the learner's files.
app::Project project_for(const app::Command& command) {
    app::Project project(WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR);
    if (command.target.ends_with("prepared")) {
        for (const std::string& line : app::refresh_exercises(project)) {
            std::cerr << app::wrapped(line, "");
        }
    }
    return project;
}

int run(const app::Command& command, const std::vector<std::string>& words) {
    app::catch_interrupts();
    app::adopt_orphans();
    try {
        return app::run_command(command, project_for(command), words);
    } catch (const CLI::ParseError& error) {
        const std::string help = command.name.empty() ? "help" : command.name + " --help";
        return fail(app::wrong_use, std::string(error.what()) + "\nTry ./workbook " + help + ".");
    } catch (const app::Interrupted&) {
        return fail(app::interrupted_by_user, "\ninterrupted");
    } catch (const app::WrongUse& error) {
        return fail(app::wrong_use, error.what());
    } catch (const app::UnknownName& error) {
        return fail(app::wrong_use, error.what());
    } catch (const app::UnusableFile& error) {
        return fail(app::wrong_use, error.what());
    } catch (const app::MissingFile& error) {
        return fail(app::wrong_use,
                    std::string(error.what()) + "; ./workbook reset PART brings back the empty exercise");
    } catch (const std::exception& error) {
        return fail(app::broken_workbook, error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words == std::vector<std::string>{app::write_help_option}) {
        std::cout << app::help_text(WORKBOOK_SOURCE_DIR);
        return app::all_passed;
    }
    const std::string name = words.empty() ? "" : words.front();
    const auto command = app::command_named(name);
    if (!command) {
        return fail(app::wrong_use, "There is no command '" + name + "'. Try ./workbook help.");
    }
    return run(*command, {words.begin() + (words.empty() ? 0 : 1), words.end()});
}
