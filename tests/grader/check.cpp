#include "check.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "build.hpp"
#include "steps.hpp"

namespace workbook::grader {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

std::string part_title(int part) {
    static const std::map<int, std::string> titles{
        {1, "causal multi-head attention"}, {2, "a preallocated KV cache"}, {3, "grouped-query attention"}};
    return titles.at(part);
}

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
    return request.source == Source::mine ? (request.file ? "submission_part" : "mine_part") + std::to_string(part)
                                          : program_for(request, "");
}

// The submission is compiled by way of a file that includes it, so that messages name the path its author knows.
void place_submission(const Folders& folders, const fs::path& file, int part) {
    const fs::path place = folders.build / "submission" / ("part" + std::to_string(part) + ".cpp");
    const std::string text = "#include \"" + file.string() + "\"\n";
    if (read(place) != text) {
        write(place, text);
    }
}

// Runs the tests on all cores and keeps their order.
std::vector<TestResult> run_tests(const Folders& folders, const Request& request,
                                  const std::vector<GradedTest>& tests) {
    std::vector<TestResult> results(tests.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < tests.size(); i = next++) {
            const fs::path program = folders.build / "bin" / program_for(request, tests[i].step);
            results[i] = run_test(program, tests[i], folders.source);
        }
    };
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& worker : workers) {
        worker.get();
    }
    return results;
}

std::vector<StepResult> by_step(const std::vector<TestResult>& results,
                                const std::map<std::string, std::string>& titles) {
    std::vector<StepResult> steps;
    steps.reserve(titles.size());
    for (const auto& [number, title] : titles) {
        steps.push_back({number, title, {}});
    }
    for (const TestResult& result : results) {
        std::ranges::find(steps, result.test.step, &StepResult::step)->tests.push_back(result);
    }
    return steps;
}

// Everything but the learner's files: the suites, the solutions, and the list of tests.
void build_given(const Folders& folders) {
    const BuildResult built = build(folders.build, {"solutions"});
    if (!built.succeeded) {
        throw std::runtime_error("the workbook itself does not build:\n" + built.log);
    }
}

}  // namespace

fs::path Folders::part(int number) const {
    static const std::map<int, std::string> names{{1, "part1_mha"}, {2, "part2_kv_cache"}, {3, "part3_gqa"}};
    return source / names.at(number);
}

PartResult check_part(const Folders& folders, const Request& request, int part) {
    PartResult result;
    result.part = part;
    result.title = part_title(part);
    result.graded_from = graded_from(folders, request, part);
    result.others_from = others_from(folders, request, part);
    build_given(folders);
    if (request.file) {
        place_submission(folders, graded_file(folders, request, part), part);
    }
    const BuildResult built = build(folders.build, {target_for(request, part)});
    const fs::path log = folders.build / "last-build.log";
    write(log, built.log);
    std::string about_file;
    for (const int other : {1, 2, 3}) {
        if (other == part || request.source == Source::all_mine) {
            about_file += digest(built.log, graded_file(folders, request, other));
        }
    }
    if (!built.succeeded) {
        result.build_errors = (about_file.empty() ? first_errors(built.log) : about_file) + "\n  The whole log is in " +
                              relative_to(log, folders.source).string() + ".\n";
        return result;
    }
    result.warnings = about_file;
    std::vector<GradedTest> tests = list_tests(folders.build / "bin" / "solutions");
    std::erase_if(tests, [&](const GradedTest& test) { return test.part() != part; });
    result.steps =
        by_step(run_tests(folders, request, tests), steps::titles_of(read(folders.part(part) / "solution.cpp")));
    return result;
}

std::string next_step(const Folders& folders, const Request& request, const std::vector<PartResult>& parts) {
    for (const PartResult& part : parts) {
        if (!part.build_errors.empty()) {
            return "Next: mend " + part.graded_from + " and run the same command again.";
        }
        const auto step = std::ranges::find_if_not(part.steps, &StepResult::passed);
        if (step == part.steps.end()) {
            continue;
        }
        const std::string file = relative_to(graded_file(folders, request, part.part), folders.source).string();
        const std::string folder = relative_to(folders.part(part.part), folders.source).string();
        std::ostringstream text;
        text << "Next: ";
        if (!step->attempted()) {
            text << "read " << folder << "/README.md and fill in ";
        }
        text << "step " << step->step << " (" << step->title << ") in " << file << ", then run the same command again. "
             << "Hints are in " << folder << "/hints.md.";
        return text.str();
    }
    return "";
}

}  // namespace workbook::grader
