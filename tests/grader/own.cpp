#include "own.hpp"

#include <algorithm>

#include "build.hpp"
#include "files.hpp"
#include "steps.hpp"

namespace workbook::grader {

namespace {

namespace fs = std::filesystem;

// What grading an empty exercise gives, without compiling and running it.
PartResult untouched_part(const Folders& folders, int part) {
    PartResult result;
    result.part = part;
    result.title = part_title(part);
    result.graded_from = exercise_name(folders, part);
    std::vector<TestResult> tests;
    for (const GradedTest& test : list_tests(folders.build / "bin" / "solutions", folders.source)) {
        if (test.part() == part) {
            tests.emplace_back();
            tests.back().test = test;
            tests.back().outcome = Outcome::not_attempted;
            tests.back().missing_step = test.step;
        }
    }
    result.steps = by_step(tests, titles_of(folders, part));
    return result;
}

}  // namespace

Request request_for(const Request& request, const Progress& progress, int part) {
    Request effective = request;
    if (request.source == Source::mine && !request.file && progress.carries() && progress.current_part() == part) {
        effective.source = Source::all_mine;
    }
    return effective;
}

std::string carried_text(int part) {
    return "your own files of the other parts, carried along by ./workbook start " + std::to_string(part) + " --carry";
}

PartResult grade(const Folders& folders, const Request& request, int part) {
    const Request effective = request_for(request, Progress(folders.source), part);
    PartResult result = check_part(folders, effective, part);
    if (effective.source != request.source) {
        result.others_from = carried_text(part) + ": " + result.others_from;
    }
    Progress progress(folders.source);
    if (request.source != Source::solution && !request.file && progress.note_passed(result.steps, today())) {
        progress.save();
    }
    return result;
}

PartResult grade_own(const Folders& folders, int part) {
    if (is_untouched(folders, part)) {
        return untouched_part(folders, part);
    }
    const BuildLock lock(folders.build);
    return grade(folders, {}, part);
}

fs::path exercise_of(const Folders& folders, int part) {
    return folders.part(part) / "exercise.cpp";
}

std::string exercise_name(const Folders& folders, int part) {
    return (folders.part(part).filename() / "exercise.cpp").string();
}

std::string skeleton_of(const Folders& folders, int part) {
    return steps::skeleton_of(read_file(folders.part(part) / "solution.cpp"));
}

bool is_untouched(const Folders& folders, int part) {
    return read_file(exercise_of(folders, part)) == skeleton_of(folders, part);
}

std::map<std::string, std::string> titles_of(const Folders& folders, int part) {
    return steps::titles_of(read_file(folders.part(part) / "solution.cpp"));
}

}  // namespace workbook::grader
