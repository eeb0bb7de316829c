// The main function of every program of graded tests.
//   --list-graded  prints the tests as JSON and runs none
//   --graded       how the grader runs a test: see protocol.hpp
//   --step=1.3     runs the tests of one step; exit code 77 when it is not attempted
//   --audit        compares the models of mistakes, with none made, with every expected answer
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "app/base/text.hpp"
#include "app/results/protocol.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/guard.hpp"

namespace {

void list_graded() {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& test : workbook::grading::graded_tests()) {
        list.push_back({{"suite", test.suite},
                        {"name", test.name},
                        {"step", test.step},
                        {"level", workbook::app::level_text(test.level)},
                        {"points", test.points},
                        {"place", test.place}});
    }
    std::cout << list.dump(1) << "\n";
}

// A GoogleTest filter for the tests of one step.
std::string filter_for(const std::string& step) {
    std::string filter;
    for (const auto& test : workbook::grading::graded_tests()) {
        if (test.step == step) {
            filter += (filter.empty() ? "" : ":") + test.suite + "." + test.name;
        }
    }
    return filter;
}

// Runs the tests of one step. A step of which something is not attempted is neither passed nor failed: ctest reports
// exit code 77 as skipped.
int run_step(const std::string& step) {
    constexpr int skipped = 77;
    const std::string filter = filter_for(step);
    if (filter.empty()) {
        std::cerr << "this program has no tests of step " << step << "\n";
        return EXIT_FAILURE;
    }
    GTEST_FLAG_SET(filter, filter);
    const int result = RUN_ALL_TESTS();
    return result == EXIT_SUCCESS && workbook::grading::not_attempted_count() > 0 ? skipped : result;
}

// Takes an option that says what the answers are asked.
void inquire(const std::string& option) {
    workbook::grading::Inquiry& inquiry = workbook::grading::inquiry();
    inquiry.has_questions = option.starts_with(workbook::grading::question_option);
    inquiry.searches_pairs = option.starts_with(workbook::grading::pairs_option);
    if (inquiry.has_questions || inquiry.searches_pairs) {
        inquiry.suspects = workbook::app::split(option.substr(option.find('=') + 1), ',');
    }
}

// Runs a test for the grader. Nothing of the tested code's runs after the report is written.
[[noreturn]] void run_for_grader() {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    const int result = RUN_ALL_TESTS();
    std::cout.flush();
    std::fflush(nullptr);
    _exit(result);
}

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    const std::string first = argc > 1 ? argv[1] : "";
    const std::string last = argv[argc - 1];
    inquire(first);
    if (last == workbook::grading::list_option) {
        list_graded();
        return EXIT_SUCCESS;
    }
    if (last == workbook::grading::graded_option) {
        run_for_grader();
    }
    workbook::grading::auditing_models() = last == "--audit";
    const std::string step_option = "--step=";
    if (last.starts_with(step_option)) {
        return run_step(last.substr(step_option.size()));
    }
    return RUN_ALL_TESTS();
}
