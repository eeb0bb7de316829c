#include "check.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "build.hpp"
#include "diagnosis.hpp"
#include "files.hpp"
#include "inclusion.hpp"
#include "run_tests.hpp"
#include "sanitize.hpp"
#include "steps.hpp"
#include "warnings.hpp"

namespace workbook::grader {

namespace {

namespace fs = std::filesystem;

fs::path relative_to(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(folder);
    return relative.empty() || *relative.begin() == ".." ? path : relative;
}

// The learner's file that is graded, as the compiler sees its path.
fs::path graded_file(const Folders& folders, const Request& request, int part) {
    return request.file ? fs::absolute(*request.file).lexically_normal() : folders.part(part) / "exercise.cpp";
}

std::string graded_from(const Folders& folders, const Request& request, int part) {
    const fs::path file =
        request.source == Source::solution ? folders.part(part) / "solution.cpp" : graded_file(folders, request, part);
    return relative_to(file, folders.source).string();
}

// The parts of which a learner's file is in the programs that grade `part`.
std::vector<int> learners_parts(const Request& request, int part) {
    switch (request.source) {
        case Source::all_mine: return {1, 2, 3};
        case Source::solution: return {};
        case Source::mine: break;
    }
    return {part};
}

// The files that a sanitizer's report may be about.
std::vector<NamedFile> named_files(const Folders& folders, const Request& request, int part) {
    std::vector<NamedFile> files;
    for (const int number : learners_parts(request, part)) {
        files.push_back({graded_file(folders, request, number), graded_from(folders, request, number)});
    }
    return files;
}

std::string others_from(const Folders& folders, const Request& request, int part) {
    if (request.source == Source::mine) {
        return "worked solutions of the other parts; a step is graded on the worked steps before it";
    }
    std::string text;
    for (const int other : {1, 2, 3}) {
        if (other != part) {
            text += (text.empty() ? "" : ", ") + graded_from(folders, request, other);
        }
    }
    return text;
}

// What the file is called in the build.
std::string graded_name(const Request& request, int part) {
    return (request.file ? "submission_part" : "mine_part") + std::to_string(part);
}

// A program that contains the tests of `step`, linked with what the request asks for.
std::string program_for(const Request& request, const std::string& step) {
    switch (request.source) {
        case Source::all_mine: return "all_mine";
        case Source::solution: return "solutions";
        case Source::mine: break;
    }
    return (request.file ? "submission_" : "mine_") + step;
}

std::string target_for(const Request& request, int part) {
    return request.source == Source::mine ? graded_name(request, part) : program_for(request, "");
}

// The generated source by way of which a learner's file is compiled.
fs::path place_of(const Folders& folders, const Request& request, int part) {
    return folders.build / "graded" / (graded_name(request, part) + ".cpp");
}

// A learner's file is compiled by way of one line that includes it, so that messages name the path its author knows.
// The line ends with a fingerprint of the contents: a file with an old time stamp, such as a restored backup, is
// compiled too.
void place_for_build(const Folders& folders, const Request& request, int part) {
    const fs::path file = graded_file(folders, request, part);
    if (!fs::is_regular_file(file)) {
        throw MissingFile(relative_to(file, folders.source).string() + " is not there");
    }
    expect_includable(file);
    const fs::path place = place_of(folders, request, part);
    const std::string text =
        "#include \"" + file.string() + "\"  // " + std::to_string(std::hash<std::string>{}(read_file(file))) + "\n";
    if (read_file(place) != text) {
        write_atomically(place, text);
    }
}

// What grading needs: the graded programs, and the one that lists the tests.
std::vector<std::string> targets_for(const Folders& folders, const Request& request, int part) {
    std::vector<std::string> targets{target_for(request, part)};
    if (!folders.sanitized) {
        targets.emplace_back("solutions");
    }
    return targets;
}

// Blames nobody for a workbook that does not build without the learner's files either.
void expect_given_to_build(const Folders& folders) {
    const BuildResult built = build(folders.build, {"solutions"});
    if (!built.succeeded) {
        throw std::runtime_error("the workbook itself does not build:\n" + built.log);
    }
}

// What the log says about the graded files; a failed build without a word about them shows the log's own first errors.
void report_build(const Folders& folders, const Request& request, const BuildResult& built, PartResult& result) {
    for (const int part : {1, 2, 3}) {
        if (request.source == Source::solution || (part != result.part && request.source != Source::all_mine)) {
            continue;
        }
        const std::string name = graded_from(folders, request, part);
        const Digest about = digest(built.log, graded_file(folders, request, part), name);
        result.build_errors += about.errors;
        result.warnings += warnings_about(place_of(folders, request, part), built.log, about.warnings);
        if (!about.errors.empty() && result.to_mend.empty()) {
            result.to_mend = name;
        }
    }
    if (!built.succeeded && result.build_errors.empty()) {
        expect_given_to_build(folders);
        const std::string from_linker = link_errors(built.log);
        result.build_errors = from_linker.empty() ? first_errors(built.log) : from_linker;
        result.to_mend = result.graded_from;
    }
}

// Names the mistakes behind the failed tests. The step's tests then run once more and look in their right answers for
// something that speaks against one.
template <class Run>
void diagnose(StepResult& step, const Run& run) {
    step.findings = findings_of(step);
    const std::vector<std::string> mistakes = named_in(step.findings);
    if (mistakes.empty()) {
        return;
    }
    std::vector<GradedTest> tests;
    for (const TestResult& result : step.tests) {
        tests.push_back(result.test);
    }
    RunMode mode;
    mode.questioned = mistakes;
    const std::vector<TestResult> questioned = run(tests, mode);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        step.tests[i].refuted = questioned[i].refuted;
    }
    step.findings = findings_of(step);
}

// Refuses a file that is not its author's own work.
void refuse_borrowed(const Folders& folders, const Request& request, PartResult& result) {
    for (const int part : learners_parts(request, result.part)) {
        const std::string name = graded_name(request, part);
        const std::string object = "tests/CMakeFiles/" + name + "_file.dir/__/graded/" + name + ".cpp.o";
        const fs::path file = graded_file(folders, request, part);
        const std::string borrowed = borrowed_code(folders.source, folders.build, file, object);
        if (!borrowed.empty()) {
            result.obstacle = "is not graded";
            result.build_errors = wrapped(borrowed, "    ");
            result.to_mend = graded_from(folders, request, part);
            return;
        }
    }
}

// Every program of the part has the graded file in it, so one speaks for all.
bool gets_to_start(const Folders& folders, const fs::path& program, PartResult& result) {
    const std::string trouble = trouble_at_start(program, {.sanitized = folders.sanitized});
    if (!trouble.empty()) {
        result.obstacle = "builds, but does not start";
        result.build_errors =
            wrapped("a static or global object of the file keeps every test from starting: " + trouble, "    ");
        result.to_mend = result.graded_from;
    }
    return trouble.empty();
}

}  // namespace

fs::path Folders::part(int number) const {
    static const std::map<int, std::string> names{{1, "part1_mha"}, {2, "part2_kv_cache"}, {3, "part3_gqa"}};
    return source / names.at(number);
}

std::string part_title(int part) {
    static const std::map<int, std::string> titles{
        {1, "causal multi-head attention"}, {2, "a preallocated KV cache"}, {3, "grouped-query attention"}};
    return titles.at(part);
}

PartResult build_program(const Folders& folders, const Request& request, int part,
                         const std::vector<std::string>& targets) {
    PartResult result;
    result.part = part;
    result.title = part_title(part);
    result.graded_from = graded_from(folders, request, part);
    result.others_from = others_from(folders, request, part);
    for (const int placed : learners_parts(request, part)) {
        place_for_build(folders, request, placed);
    }
    const BuildResult built = build(folders.build, targets);
    report_build(folders, request, built, result);
    if (!built.succeeded) {
        const fs::path log = folders.build / "last-build.log";
        write_atomically(log, built.log);
        result.build_log = built.log;
        result.obstacle = "does not build";
        result.build_errors += "\n  The whole log is in " + log.string() + ".\n";
        return result;
    }
    result.build_errors.clear();
    refuse_borrowed(folders, request, result);
    return result;
}

PartResult check_part(const Folders& folders, const Request& request, int part) {
    PartResult result = build_program(folders, request, part, targets_for(folders, request, part));
    if (!result.obstacle.empty()) {
        return result;
    }
    std::vector<GradedTest> tests = list_tests(folders.solutions, folders.source);
    std::erase_if(tests, [&](const GradedTest& test) { return test.part() != part; });
    const auto program_of = [&](const GradedTest& test) {
        return folders.build / "bin" / program_for(request, test.step);
    };
    if (!gets_to_start(folders, program_of(tests.front()), result)) {
        return result;
    }
    const auto run = [&](const std::vector<GradedTest>& some, RunMode mode) {
        mode.sanitized = folders.sanitized;
        return run_tests(some, program_of, folders.source, mode);
    };
    std::vector<TestResult> results = run(tests, {});
    for (TestResult& test_result : results) {
        condense_sanitizer_report(test_result, named_files(folders, request, part));
    }
    result.steps = by_step(results, steps::titles_of(read_file(folders.part(part) / "solution.cpp")));
    for (StepResult& step : result.steps) {
        diagnose(step, run);
    }
    return result;
}

NextStep next_step(const Folders& folders, const Request& request, const std::vector<PartResult>& parts) {
    const auto broken = std::ranges::find_if(parts, [](const PartResult& part) { return !part.build_errors.empty(); });
    if (broken != parts.end()) {
        return {"Next: mend " + broken->to_mend, ""};
    }
    for (const PartResult& part : parts) {
        const auto step = std::ranges::find_if_not(part.steps, &StepResult::done);
        if (step == part.steps.end()) {
            continue;
        }
        const auto waiting = std::ranges::find_if(step->tests, [&](const TestResult& test) {
            return test.outcome == Outcome::not_attempted && !test.missing_step.starts_with(step->step);
        });
        if (waiting != step->tests.end()) {
            return {"Next: fill in " + waiting->missing_step + ", which step " + step->step + " waits for", ""};
        }
        const std::string file = graded_from(folders, request, part.part);
        const std::string folder = relative_to(folders.part(part.part), folders.source).string();
        const bool may_be_elsewhere = request.source == Source::all_mine && step->attempted();
        const std::string what = "step " + step->step + " (" + step->title + ") in " + file +
                                 (may_be_elsewhere ? " (or a part it builds on, when ./workbook check " +
                                                         std::to_string(part.part) + " passes)"
                                                   : "");
        const std::string task =
            step->attempted() ? "Next: mend " + what : "Next: read " + folder + "/README.md and fill in " + what;
        return {task, step->step};
    }
    return {};
}

}  // namespace workbook::grader
