#include "app/judge/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/text.hpp"
#include "app/build/build.hpp"
#include "app/build/calls.hpp"
#include "app/build/compiler_log.hpp"
#include "app/build/inclusion.hpp"
#include "app/build/partial/partial_build.hpp"
#include "app/build/warnings.hpp"
#include "app/judge/missing.hpp"
#include "app/judge/naming/crash.hpp"
#include "app/judge/naming/inquiry.hpp"
#include "app/judge/verdict.hpp"
#include "app/run/run_tests.hpp"
#include "app/run/sanitizer_report.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

// Blames nobody for a workbook that does not build without the learner's files either.
void expect_given_to_build(const Project& project) {
    const BuildResult built = build(project, {"solutions"});
    if (!built.succeeded) {
        throw std::runtime_error("the workbook itself does not build:\n" + built.log);
    }
}

// What the log says about the graded files; a failed build without a word about them shows the log's own first errors.
void report_build(const Project& project, const GradedFiles& files, const BuildResult& built, PartResult& result) {
    for (const Part& part : files.learners_parts()) {
        const std::string name = files.name_of(part);
        const Digest about = digest(built.log, files.file_of(part), name);
        result.build_errors += about.errors;
        result.warnings += warnings_about(files.source_of(part), built.log, about.warnings);
        if (!about.errors.empty() && result.to_fix.empty()) {
            result.to_fix = name;
        }
    }
    if (!built.succeeded && result.build_errors.empty()) {
        expect_given_to_build(project);
        const std::string from_linker = link_errors(built.log);
        result.build_errors = from_linker.empty() ? first_errors(built.log) : from_linker;
        result.to_fix = result.graded_from;
    }
}

// Refuses a file that is not its author's own work.
void refuse_borrowed(const Project& project, const GradedFiles& files, PartResult& result) {
    for (const Part& part : files.learners_parts()) {
        const std::string borrowed =
            borrowed_code(project.source, project.build, files.file_of(part), files.object_of(part));
        if (!borrowed.empty()) {
            result.obstacle = "is not graded";
            result.build_errors = wrapped(borrowed, "    ");
            result.to_fix = files.name_of(part);
            return;
        }
    }
}

// A step that a later part's worked solution answers gets no points.
void refuse_borrowed_steps(const std::vector<BorrowedStep>& borrowed, PartResult& result) {
    for (const auto& [name, function, part] : borrowed) {
        const auto step = std::ranges::find(result.steps, name, &StepResult::step);
        if (step == result.steps.end()) {
            continue;  // it is not graded this time
        }
        for (TestResult& test : step->tests) {
            TestResult refused;
            refused.test = test.test;
            refused.failures = {fmt::format(
                "your answer calls {}, which the worked solution of {} defines: what comes later is not for this step",
                function, part)};
            test = std::move(refused);
        }
    }
}

// Every program of the part has the graded file in it, so one speaks for all.
bool gets_to_start(const Project& project, const fs::path& program, PartResult& result) {
    const std::string trouble = trouble_at_start(program, {.sanitized = project.sanitized});
    if (!trouble.empty()) {
        result.obstacle = "builds, but does not start";
        result.build_errors =
            wrapped("a static or global object of the file keeps every test from starting: " + trouble, "    ");
        result.to_fix = result.graded_from;
    }
    return trouble.empty();
}

// Whether the programs are there without the steps that do not compile.
bool leaves_out(const Project& project, const GradedFiles& files, const std::vector<std::string>& targets,
                const BuildResult& failed, PartResult& result) {
    PartialBuild partial = build_without_broken_steps(project, files, targets, failed);
    if (!partial.built.succeeded) {
        return false;
    }
    result.uncompiled = std::move(partial.uncompiled);
    result.to_fix = result.uncompiled.empty() ? "" : result.uncompiled.front().file;
    result.build_log = failed.log;
    return true;
}

std::vector<GradedTest> tests_of(const Project& project, const Part& part, const Request& request) {
    std::vector<GradedTest> tests = list_tests(project.solutions, project.source);
    std::erase_if(tests,
                  [&](const GradedTest& test) { return part_name_of(test.step) != part.name || !request.runs(test); });
    return tests;
}

}  // namespace

PartResult build_programs(const Project& project, const GradedFiles& files, const std::vector<std::string>& targets,
                          BrokenSteps broken) {
    PartResult result = result_of(files.part(), files.graded_from());
    result.others_from = files.others_from();
    files.place();
    const BuildResult built = build(project, targets);
    const bool leaves_some_out =
        !built.succeeded && broken == BrokenSteps::left_out && leaves_out(project, files, targets, built, result);
    if (!leaves_some_out) {
        report_build(project, files, built, result);
    }
    if (!built.succeeded && !leaves_some_out) {
        const fs::path log = project.build / "last-build.log";
        write_atomically(log, built.log);
        result.build_log = built.log;
        result.obstacle = "does not build";
        result.build_errors += fmt::format("\n  The whole log is in {}.\n", log.string());
        return result;
    }
    result.build_errors.clear();
    refuse_borrowed(project, files, result);
    return result;
}

PartResult check_part(const Project& project, const Request& request, const Part& part) {
    const GradedFiles files(project, request, part);
    std::vector<std::string> targets = files.targets();
    if (!project.sanitized) {
        targets.emplace_back("solutions");  // lists the tests
    }
    PartResult result = build_programs(project, files, targets, BrokenSteps::left_out);
    result.scope = request.scope();
    const std::vector<GradedTest> tests = tests_of(project, part, request);
    result.worth = std::accumulate(tests.begin(), tests.end(), 0,
                                   [](int sum, const GradedTest& test) { return sum + test.points; });
    if (!result.obstacle.empty()) {
        return result;
    }
    const auto program_of = [&](const GradedTest& test) { return files.program(test.step); };
    if (!gets_to_start(project, program_of(tests.front()), result)) {
        return result;
    }
    const auto run = [&](const std::vector<GradedTest>& some, RunMode mode) {
        mode.sanitized = project.sanitized;
        mode.jobs = request.jobs;
        return run_tests(some, program_of, project.source, mode);
    };
    std::vector<TestResult> results = run(tests, {});
    for (TestResult& test_result : results) {
        condense_sanitizer_report(test_result, files.learners_files());
    }
    result.steps = by_step(results, project.step_titles(part));
    explain_missing(project, files, result);
    refuse_borrowed_steps(borrowed_steps(project, files), result);
    for (StepResult& step : result.steps) {
        diagnose(step, run);
    }
    explain_crashes(files, result);
    return result;
}

}  // namespace workbook::app
