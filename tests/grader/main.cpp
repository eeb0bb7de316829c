// The commands behind ./workbook. The launcher has installed, configured and built what they need.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "build.hpp"
#include "commands.hpp"
#include "cost_options.hpp"
#include "inclusion.hpp"
#include "own.hpp"
#include "process.hpp"
#include "sanitize.hpp"
#include "story_command.hpp"
#include "watch.hpp"

namespace {

namespace grader = workbook::grader;

// What the command line says.
struct Arguments {
    std::string part = "all";
    std::string step;
    std::string file;
    bool all_mine = false;
    bool solution = false;
    bool sanitize = false;
    grader::Output output;
    bool carry = false;
    std::vector<std::string> words;  // behind the command
    grader::CostArguments cost;
    workbook::story::Options story;
};

int part_number(const std::string& part) {
    return part.front() - '0';
}

grader::Request request_of(const Arguments& arguments) {
    grader::Request request;
    if (arguments.part != "all") {
        request.parts = {part_number(arguments.part)};
    }
    if (arguments.solution) {
        request.source = grader::Source::solution;
    } else if (arguments.all_mine) {
        request.source = grader::Source::all_mine;
    }
    if (!arguments.file.empty()) {
        if (arguments.part == "all") {
            throw grader::WrongUse("--file grades one part: say which, as in ./workbook check 2 --file " +
                                   arguments.file);
        }
        request.file = arguments.file;
    }
    return request;
}

CLI::Validator one_of(std::vector<std::string> words, std::string what) {
    return {[words = std::move(words), what = std::move(what)](const std::string& text) {
                return std::ranges::find(words, text) != words.end() ? std::string()
                                                                     : what + " was expected, got " + text;
            },
            ""};
}

void add_check(CLI::App& app, Arguments& arguments) {
    CLI::App* check = app.add_subcommand("check", "Grade a part, or all of them");
    check->add_option("part", arguments.part, "1, 2, 3 or all (the default)")
        ->check(one_of({"1", "2", "3", "all"}, "1, 2, 3 or all"));
    CLI::Option* all_mine = check->add_flag("--all-mine", arguments.all_mine, "Use your files for the other parts too");
    CLI::Option* solution = check->add_flag("--solution", arguments.solution, "Grade the worked solutions");
    CLI::Option* file =
        check->add_option("--file", arguments.file, "Grade this file in place of the part's exercise.cpp")
            ->check(CLI::ExistingFile);
    check->add_flag("--verbose", arguments.output.verbose, "Show the messages of all failing tests");
    check->add_flag("--sanitize", arguments.sanitize,
                    "Run the tests under sanitizers, which find wild reads and writes");
    check->add_flag("--json", arguments.output.json, "Print results as JSON (docs/json-output.md)");
    check->add_option("--junit", arguments.output.junit, "Write results as JUnit XML to this file too");
    all_mine->excludes(solution)->excludes(file);
    solution->excludes(file);
}

void add_part_command(CLI::App& app, const std::string& name, const std::string& what, Arguments& arguments,
                      bool required) {
    app.add_subcommand(name, what)
        ->add_option("part", arguments.part, "1, 2 or 3")
        ->check(one_of({"1", "2", "3"}, "1, 2 or 3"))
        ->required(required);
}

void add_step_command(CLI::App& app, const std::string& name, const std::string& what, Arguments& arguments) {
    app.add_subcommand(name, what)->add_option("step", arguments.step, "a step, such as 1.3")->required();
}

void describe(CLI::App& app, Arguments& arguments) {
    app.require_subcommand(0, 1);
    add_check(app, arguments);
    add_part_command(app, "list", "The steps and their points", arguments, false);
    add_part_command(app, "watch", "Grade whenever you save", arguments, false);
    add_part_command(app, "start", "Make a part the current one", arguments, true);
    app.get_subcommand("start")->add_flag("--carry", arguments.carry, "Grade it on top of your files of other parts");
    add_part_command(app, "diff", "Your file beside the worked solution", arguments, true);
    add_part_command(app, "reset", "Empty your file, with a backup", arguments, true);
    add_step_command(app, "hint", "The next hint of a step", arguments);
    add_step_command(app, "solution", "The worked step", arguments);
    grader::add_cost(app, arguments.cost);
    workbook::story::add_options(*app.add_subcommand("story", "A real model tells a story"), arguments.story);
}

int run_command(const grader::Folders& folders, const std::string& command, const Arguments& arguments) {
    if (command == "check") {
        return grader::check(folders, request_of(arguments), arguments.output);
    }
    if (command == "list") {
        return grader::list(folders, request_of(arguments).parts);
    }
    if (command == "watch") {
        return grader::watch(folders, arguments.part == "all" ? grader::Progress(folders.source).current_part()
                                                              : part_number(arguments.part));
    }
    if (command == "start") {
        return grader::start(folders, part_number(arguments.part), arguments.carry);
    }
    if (command == "diff") {
        return grader::diff(folders, part_number(arguments.part));
    }
    if (command == "reset") {
        return grader::reset(folders, part_number(arguments.part));
    }
    if (command == "cost") {
        return grader::cost(folders, arguments.cost);
    }
    if (command == "story") {
        return grader::story(folders, arguments.story, arguments.words);
    }
    if (command == "hint") {
        return grader::hint(folders, arguments.step);
    }
    return command == "solution" ? grader::solution(folders, arguments.step) : grader::overview(folders);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Practise the attention interview question, part by part.", "./workbook");
    Arguments arguments;
    describe(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << error.what() << "\nTry ./workbook help.\n";
        return grader::wrong_use;
    }
    const auto commands = app.get_subcommands();
    arguments.words = {argv + std::min(argc, 2), argv + argc};
    grader::catch_interrupts();
    try {
        const grader::Folders folders{WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR, WORKBOOK_BUILD_DIR "/bin/solutions"};
        return run_command(arguments.sanitize ? grader::sanitized(folders) : folders,
                           commands.empty() ? "" : commands.front()->get_name(), arguments);
    } catch (const grader::Interrupted&) {
        std::cerr << "\ninterrupted\n";
        return grader::interrupted_by_user;
    } catch (const grader::WrongUse& error) {
        std::cerr << error.what() << "\n";
        return grader::wrong_use;
    } catch (const grader::UnusableFile& error) {
        std::cerr << error.what() << "\n";
        return grader::wrong_use;
    } catch (const grader::MissingFile& error) {
        std::cerr << error.what() << "; ./workbook reset PART brings back the empty exercise\n";
        return grader::wrong_use;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return grader::broken_workbook;
    }
}
