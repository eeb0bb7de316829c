// ./workbook check: grades and reports.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/base/layout.hpp"
#include "app/base/system/terminal.hpp"
#include "app/build/build.hpp"
#include "app/build/sanitized.hpp"
#include "app/commands/command.hpp"
#include "app/judge/next_step.hpp"
#include "app/judge/own.hpp"
#include "app/run/suite.hpp"
#include "app/show/json_report.hpp"
#include "app/show/junit_report.hpp"
#include "app/show/report.hpp"

namespace workbook::app {

namespace {

struct Arguments {
    std::string part = "all";
    std::string test;  // words in the names of tests; empty for all
    bool all_mine = false;
    bool solution = false;
    std::string file;
    bool verbose = false;
    bool sanitize = false;
    bool json = false;
    std::string junit;  // a file; empty for none
    unsigned jobs = 0;
};

Request request_of(const Arguments& arguments) {
    Request request;
    request.jobs = arguments.jobs;
    if (arguments.solution) {
        request.source = Source::solution;
    } else if (arguments.all_mine) {
        request.source = Source::all_mine;
    }
    request.test = arguments.test;
    if (!arguments.file.empty()) {
        if (arguments.part == "all") {
            throw WrongUse("--file grades one part: say which, as in ./workbook check 2 --file " + arguments.file);
        }
        request.file = arguments.file;
    }
    return request;
}

// The parts with tests to run. Narrows the request down to a step where that is what was named.
std::vector<Part> parts_of(const Project& project, const Arguments& arguments, Request& request) {
    std::vector<Part> parts = project.parts();
    if (arguments.part != "all") {
        const Chosen named = chosen(project, arguments.part);
        parts = {named.part};
        request.steps = named.steps;
    }
    const std::vector<GradedTest> tests = list_tests(project.solutions, project.source);
    std::erase_if(parts, [&](const Part& part) {
        return std::ranges::none_of(
            tests, [&](const GradedTest& test) { return part_name_of(test.step) == part.name && request.runs(test); });
    });
    if (parts.empty()) {
        const bool is_step = !request.steps.empty();
        throw WrongUse(
            fmt::format("TEST: words in the name of a test of {} were expected, got \"{}\".\n"
                        "./workbook list {} shows {}.",
                        arguments.part == "all" ? "the parts" : arguments.part, arguments.test,
                        is_step ? arguments.part : "STEP", is_step ? "them" : "the tests of a step"));
    }
    return parts;
}

std::vector<PartResult> graded(const Project& project, const std::vector<Part>& parts, const Request& request,
                               const Arguments& arguments) {
    std::vector<PartResult> results;
    for (const Part& part : parts) {
        results.push_back(grade(project, request, part));
        if (!arguments.json) {
            print(std::cout, results.back(), style_of_output(), arguments.verbose);
            std::cout << std::endl;
        }
        if (request.source == Source::all_mine && !results.back().build_errors.empty()) {
            break;  // one program has all files, so the other parts would say the same
        }
    }
    return results;
}

int check(const Project& project, const Arguments& arguments) {
    Request request = request_of(arguments);
    const std::vector<Part> parts = parts_of(project, arguments, request);
    const BuildLock lock(project.build);
    const std::vector<PartResult> results = graded(project, parts, request, arguments);
    const NextStep next = next_step(project, request, results);
    if (arguments.json) {
        print_json(std::cout, results, next.sentence);
    } else if (!next.sentence.empty()) {
        std::cout << wrapped(next.sentence + ", then run the same command again.", "");
        if (!next.step.empty()) {
            std::cout << "For a hint: ./workbook hint " << next.step << "\n";
        }
    }
    if (!arguments.junit.empty()) {
        write_junit(arguments.junit, results);
    }
    return std::ranges::all_of(results, &PartResult::passed) ? all_passed : not_all_passed;
}

const bool check_is_registered = register_command({
    .name = "check",
    .arguments = "[PART|STEP|all] [TEST]",
    .summary = "grade once: a part or follow-up, one step of it, or all three parts (the default)",
    .place = 30,
    .target = "prepared",
    .describe =
        [](CLI::App& options) {
            const auto arguments = std::make_shared<Arguments>();
            add_part(options, arguments->part, "a part or follow-up, a step such as 2.3, or all for the three parts");
            options.add_option("TEST", arguments->test,
                               "run only tests with these words in their names, such as \"overflow\"");
            CLI::Option* all_mine =
                options.add_flag("--all-mine", arguments->all_mine, "use your files for the other parts too");
            CLI::Option* solution =
                options.add_flag("--solution", arguments->solution, "grade the worked solutions instead");
            CLI::Option* file =
                options.add_option("--file", arguments->file, "grade this file in place of exercise.cpp")
                    ->type_name("PATH")
                    ->check(CLI::ExistingFile.description(""));
            options.add_flag("--verbose", arguments->verbose,
                             "show the messages of all failing tests and the compiler's full output");
            options.add_flag("--sanitize", arguments->sanitize,
                             "find out-of-bounds reads and writes, and show the line (the first time, this builds for "
                             "a few minutes)");
            options.add_flag("--json", arguments->json, "print machine-readable results: docs/json-output.md");
            options.add_option("--junit", arguments->junit, "also write the results to this file, as JUnit XML")
                ->type_name("PATH");
            options
                .add_option("--jobs", arguments->jobs, "tests to run at once (as many as there are processors to use)")
                ->type_name("N")
                ->check(CLI::Range(1, 1024).description(""));
            all_mine->excludes(solution)->excludes(file);
            solution->excludes(file);
            return [arguments](const Call& call) {
                return check(arguments->sanitize ? sanitized(call.project) : call.project, *arguments);
            };
        },
});

}  // namespace

}  // namespace workbook::app
