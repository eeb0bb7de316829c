// The command behind ./workbook: grades and reports. The launcher has installed and configured what it needs.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "build.hpp"
#include "check.hpp"
#include "inclusion.hpp"
#include "json_report.hpp"
#include "junit_report.hpp"
#include "process.hpp"
#include "sanitize.hpp"

namespace {

namespace grader = workbook::grader;

// Exit codes, as ./workbook help explains them.
constexpr int all_passed = 0;
constexpr int not_all_passed = 1;
constexpr int wrong_use = 2;
constexpr int broken_workbook = 3;
constexpr int interrupted = 130;

// Where results go.
struct Output {
    bool json = false;  // a JSON document on standard output, instead of a report to read
    std::string junit;  // a file; empty for none
};

int check(const grader::Folders& folders, const grader::Request& request, const Output& output) {
    const grader::BuildLock lock(folders.build);
    std::vector<grader::PartResult> results;
    bool passed = true;
    for (const int part : request.parts) {
        results.push_back(grader::check_part(folders, request, part));
        if (!output.json) {
            grader::print(std::cout, results.back());
            std::cout << std::endl;
        }
        passed = passed && results.back().passed();
        if (request.source == grader::Source::all_mine && !results.back().build_errors.empty()) {
            break;  // one program has all three files, so the other parts would say the same
        }
    }
    const std::string next = passed ? "" : grader::next_step(folders, request, results);
    if (output.json) {
        grader::print_json(std::cout, results, next);
    } else if (!passed) {
        std::cout << grader::wrapped(next, "");
    }
    if (!output.junit.empty()) {
        grader::write_junit(output.junit, results);
    }
    return passed ? all_passed : not_all_passed;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Practise the attention interview question, part by part.", "./workbook");
    app.require_subcommand(1);
    CLI::App* check_command = app.add_subcommand("check", "Grade a part, or all of them");
    std::string part = "all";
    check_command->add_option("part", part, "1, 2, 3 or all (the default)")
        ->check(CLI::IsMember({"1", "2", "3", "all"}));
    bool all_mine = false;
    bool solution = false;
    std::string file;
    CLI::Option* all_mine_flag =
        check_command->add_flag("--all-mine", all_mine, "Use your files for the other parts too");
    CLI::Option* solution_flag = check_command->add_flag("--solution", solution, "Grade the worked solutions");
    CLI::Option* file_option =
        check_command->add_option("--file", file, "Grade this file in place of the part's exercise.cpp")
            ->check(CLI::ExistingFile);
    bool sanitize = false;
    check_command->add_flag("--sanitize", sanitize, "Run the tests under sanitizers, which find wild reads and writes");
    Output output;
    check_command->add_flag("--json", output.json, "Print results as JSON (docs/json-output.md)");
    check_command->add_option("--junit", output.junit, "Write results as JUnit XML to this file too");
    all_mine_flag->excludes(solution_flag)->excludes(file_option);
    solution_flag->excludes(file_option);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << error.what() << "\nTry ./workbook help.\n";
        return wrong_use;
    }

    grader::Request request;
    request.source = solution ? grader::Source::solution : all_mine ? grader::Source::all_mine : grader::Source::mine;
    if (part != "all") {
        request.parts = {part.front() - '0'};
    }
    if (!file.empty()) {
        if (part == "all") {
            std::cerr << "--file grades one part: say which, as in ./workbook check 2 --file " << file << "\n";
            return wrong_use;
        }
        request.file = file;
    }
    grader::catch_interrupts();
    try {
        const grader::Folders folders{WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR, WORKBOOK_BUILD_DIR "/bin/solutions"};
        return check(sanitize ? grader::sanitized(folders) : folders, request, output);
    } catch (const grader::Interrupted&) {
        std::cerr << "\ninterrupted\n";
        return interrupted;
    } catch (const grader::UnusableFile& error) {
        std::cerr << error.what() << "\n";
        return wrong_use;
    } catch (const grader::MissingFile& error) {
        std::cerr << error.what() << "; `git checkout` brings back the empty exercise\n";
        return wrong_use;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return broken_workbook;
    }
}
