#include "app/run/run_tests.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <set>

#include "app/base/system/machine.hpp"

namespace workbook::app {

namespace {

// Programs of which a test ran out of time.
class SlowPrograms {
public:
    void add(const std::filesystem::path& program) {
        const std::lock_guard<std::mutex> lock(mutex_);
        programs_.insert(program);
    }

    [[nodiscard]] bool contain(const std::filesystem::path& program) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return programs_.contains(program);
    }

private:
    std::mutex mutex_;
    std::set<std::filesystem::path> programs_;
};

}  // namespace

std::vector<TestResult> run_tests(const std::vector<GradedTest>& tests,
                                  const std::function<std::filesystem::path(const GradedTest& test)>& program_of,
                                  const std::filesystem::path& source_dir, const RunMode& mode) {
    std::vector<TestResult> results(tests.size());
    std::atomic<std::size_t> next{0};
    SlowPrograms slow;
    const auto work = [&] {
        for (std::size_t i = next++; i < tests.size(); i = next++) {
            const std::filesystem::path program = program_of(tests[i]);
            RunMode of_test = mode;
            of_test.hurried = slow.contain(program);
            results[i] = run_test(program, tests[i], source_dir, of_test);
            if (results[i].out_of_time) {
                slow.add(program);
            }
        }
    };
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < (mode.jobs == 0 ? allowed_processors() : mode.jobs); ++i) {
        workers.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& worker : workers) {
        worker.get();
    }
    return results;
}

}  // namespace workbook::app
