#include "app/judge/own.hpp"

#include <fmt/format.h>

#include "app/base/text.hpp"
#include "app/build/build.hpp"
#include "app/judge/verdict.hpp"
#include "app/run/suite.hpp"

namespace workbook::app {

namespace {

// What grading an empty exercise gives, without compiling and running it.
PartResult untouched_part(const Project& project, const Part& part, const Request& request) {
    PartResult result = result_of(part, part.exercise());
    result.scope = request.scope();
    std::vector<TestResult> tests;
    for (const GradedTest& test : list_tests(project.solutions, project.source)) {
        if (part_name_of(test.step) == part.name && request.runs(test)) {
            tests.emplace_back();
            tests.back().test = test;
            tests.back().outcome = Outcome::not_attempted;
            tests.back().missing_step = test.step;
        }
    }
    result.steps = by_step(tests, project.step_titles(part));
    return result;
}

std::vector<std::string> passed_steps(const PartResult& part) {
    std::vector<std::string> passed;
    for (const StepResult& step : part.steps) {
        if (step.passed()) {
            passed.push_back(step.step);
        }
    }
    return passed;
}

// The request as it is meant for one part: the current part of a learner who carries along is graded on top of their
// other files, unless the request names what to grade.
Request request_for(const Request& request, const Progress& progress, const Part& part) {
    Request effective = request;
    if (request.source == Source::mine && !request.file && progress.carries(part)) {
        effective.source = Source::all_mine;
    }
    return effective;
}

}  // namespace

std::string carried_text(const Part& part) {
    return fmt::format("your own files of the other parts, carried along by ./workbook start {} --carry", part.name);
}

PartResult grade(const Project& project, const Request& request, const Part& part) {
    const Request effective = request_for(request, Progress(project), part);
    PartResult result = check_part(project, effective, part);
    if (effective.source != request.source) {
        result.others_from = carried_text(part) + ": " + result.others_from;
    }
    Progress progress(project);
    const bool is_all_of_the_steps = request.test.empty();
    if (request.source != Source::solution && !request.file && is_all_of_the_steps &&
        progress.note_passed(passed_steps(result), local_time("%Y-%m-%d"))) {
        progress.save();
    }
    return result;
}

PartResult grade_own(const Project& project, const Part& part, const std::vector<std::string>& steps) {
    Request request;
    request.steps = steps;
    if (project.is_untouched(part)) {
        return untouched_part(project, part, request);
    }
    const BuildLock lock(project.build);
    return grade(project, request, part);
}

}  // namespace workbook::app
