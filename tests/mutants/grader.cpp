#include "tests/mutants/grader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <set>

#include "app/base/files.hpp"
#include "app/base/system/machine.hpp"
#include "app/build/build.hpp"
#include "app/judge/naming/inquiry.hpp"
#include "app/judge/verdict.hpp"
#include "app/run/suite.hpp"

namespace workbook::mutants {

namespace {

namespace fs = std::filesystem;
using app::GradedTest;
using app::TestResult;

std::string target_of(const std::string& step) {
    return "mutants_" + step;
}

// The build of one step's mutants.
class Program {
public:
    Program(const app::Project& project, const std::vector<Mutant>& mutants) : project_(project), mutants_(mutants) {
        const std::string part = app::part_name_of(mutants.front().step);
        source_ = project.build / "graded" / fmt::format("mutants_{}.cpp", part);
    }

    // Leaves out those that do not compile, until the others do.
    // @return their numbers
    std::set<int> build() {
        constexpr int most_attempts = 12;
        for (int i = 0; i < most_attempts; ++i) {
            place();
            const app::BuildResult built = app::build(project_, {target_of(mutants_.front().step)});
            if (built.succeeded) {
                return broken_;
            }
            const std::vector<int> more = broken_in(built.log);
            broken_.insert(more.begin(), more.end());
            if (more.empty()) {
                throw std::runtime_error("the mutants do not build:\n" + built.log);
            }
        }
        throw std::runtime_error("the mutants still do not build");
    }

private:
    void place() const {
        std::vector<Mutant> whole;
        std::vector<int> numbers;
        for (std::size_t i = 0; i < mutants_.size(); ++i) {
            if (const int number = static_cast<int>(i) + 1; !broken_.contains(number)) {
                whole.push_back(mutants_[i]);
                numbers.push_back(number);
            }
        }
        const std::string answer = app::read_file(project_.source / mutants_.front().base);
        app::write_atomically(source_, text_with(answer, mutants_.front().step, whole, numbers));
    }

    const app::Project& project_;
    const std::vector<Mutant>& mutants_;
    fs::path source_;
    std::set<int> broken_;
};

// No known mistake is made in inputs of some sizes alone: one failed test says all.
bool may_be_named(const Mutant& mutant) {
    return mutant.operation != "cliff" && mutant.operation != "special case";
}

// A step's tests, run on one mutant, as far as there is something to learn from more of them.
class Trial {
public:
    Trial(const app::Project& project, const Mutant& mutant, int number, bool needs_all)
        : project_(project),
          program_(project.build / "bin" / fmt::format("{}-{}", target_of(mutant.step), number)),
          needs_all_(needs_all) {
        fs::remove(program_);
        fs::create_symlink(target_of(mutant.step), program_);
    }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;
    ~Trial() {
        std::error_code error;
        fs::remove(program_, error);
    }

    std::vector<TestResult> run(const std::vector<GradedTest>& tests, const app::RunMode& mode) {
        std::vector<TestResult> results;
        bool has_ended = false;
        for (const GradedTest& test : tests) {
            TestResult result;
            result.test = test;
            if (!has_ended) {
                result = app::run_test(program_, test, project_.source, mode);
                out_of_time_ = result.out_of_time;
                has_ended = out_of_time_ || (result.outcome == app::Outcome::failed && !needs_all_);
            }
            results.push_back(result);
        }
        return results;
    }

    [[nodiscard]] bool out_of_time() const { return out_of_time_; }

private:
    const app::Project& project_;
    fs::path program_;
    bool needs_all_;
    bool out_of_time_ = false;
};

// What failed one mutant may well fail the next one, so it comes first then.
void move_to_front(std::vector<GradedTest>& tests, const app::StepResult& step) {
    const auto failed = std::ranges::find(step.tests, app::Outcome::failed, &TestResult::outcome);
    if (failed != step.tests.end()) {
        const auto place = tests.begin() + (failed - step.tests.begin());
        std::rotate(tests.begin(), place, place + 1);
    }
}

Graded graded(const app::Project& project, std::vector<GradedTest>& tests, const Mutant& mutant, int number,
              bool naming) {
    Trial trial(project, mutant, number, naming);
    const app::RunAgain run = [&](const std::vector<GradedTest>& some, const app::RunMode& mode) {
        return trial.run(some, mode);
    };
    app::StepResult step{mutant.step, "", run(tests, {})};
    Graded result{mutant, step.passed() ? Fate::survived : Fate::killed};
    result.out_of_time = trial.out_of_time();
    if (result.fate == Fate::killed && !result.out_of_time && naming) {
        app::diagnose(step, run);
    }
    if (!naming) {
        move_to_front(tests, step);
    }
    for (const app::Finding& finding : step.findings) {
        if (finding.is_firm()) {
            result.named.insert(result.named.end(), finding.mistakes.begin(), finding.mistakes.end());
        }
    }
    return result;
}

void look_up(Graded& result, const std::vector<Equivalent>& equivalents) {
    const auto listed = std::ranges::find_if(equivalents, [&](const Equivalent& one) { return one.is(result.mutant); });
    if (listed != equivalents.end()) {
        result.reason = listed->reason;
        result.fate = result.fate == Fate::survived ? Fate::equivalent : result.fate;
    }
}

// A step's tests, the quickest first. Without a mutant, all of them pass.
std::vector<GradedTest> tests_of(const app::Project& project, const std::string& step) {
    std::vector<std::pair<std::chrono::steady_clock::duration, GradedTest>> timed;
    for (const GradedTest& test : app::list_tests(project.solutions, project.source)) {
        if (test.step != step || test.points == 0) {
            continue;
        }
        const auto start = std::chrono::steady_clock::now();
        const TestResult result = app::run_test(project.build / "bin" / target_of(step), test, project.source);
        if (result.outcome != app::Outcome::passed) {
            throw std::runtime_error("a right answer fails: " + test.sentence());
        }
        timed.emplace_back(std::chrono::steady_clock::now() - start, test);
    }
    std::ranges::stable_sort(timed, {}, [](const auto& pair) { return pair.first; });
    std::vector<GradedTest> tests;
    tests.reserve(timed.size());
    for (const auto& [duration, test] : timed) {
        tests.push_back(test);
    }
    return tests;
}

}  // namespace

std::vector<Graded> grade(const app::Project& project, const std::vector<Mutant>& mutants,
                          const std::vector<Equivalent>& equivalents, bool naming) {
    const std::set<int> broken = Program(project, mutants).build();
    const std::vector<GradedTest> tests = tests_of(project, mutants.front().step);
    std::vector<Graded> all(mutants.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        std::vector<GradedTest> in_order = tests;
        for (std::size_t i = next++; i < mutants.size(); i = next++) {
            const int number = static_cast<int>(i) + 1;
            all[i] = broken.contains(number)
                         ? Graded{mutants[i], Fate::uncompiled}
                         : graded(project, in_order, mutants[i], number, naming && may_be_named(mutants[i]));
            look_up(all[i], equivalents);
        }
    };
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < app::allowed_processors(); ++i) {
        workers.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& worker : workers) {
        worker.get();
    }
    return all;
}

}  // namespace workbook::mutants
