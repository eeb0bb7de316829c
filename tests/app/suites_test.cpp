// Properties of the graded suites as a whole.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "app/run/suite.hpp"
#include "app/steps/project.hpp"

namespace workbook::app {
namespace {

const std::filesystem::path programs = WORKBOOK_BUILD_DIR "/bin";

const std::vector<GradedTest>& all_tests() {
    static const std::vector<GradedTest> tests = list_tests(programs / "solutions", WORKBOOK_SOURCE_DIR);
    return tests;
}

TEST(GradedSuites, GiveEachPartAHundredPoints) {
    std::map<std::string, int> points;
    for (const GradedTest& test : all_tests()) {
        points[part_name_of(test.step)] += test.points;
    }
    EXPECT_EQ(points, (std::map<std::string, int>{{"1", 100}, {"2", 100}, {"3", 100}, {"streaming", 25}}));
}

TEST(GradedSuites, HaveHireTestsInEveryPart) {
    std::map<std::string, int> hire;
    for (const GradedTest& test : all_tests()) {
        hire[part_name_of(test.step)] += test.level == Level::hire ? 1 : 0;
    }
    EXPECT_EQ(hire.size(), 4U);
    for (const auto& [part, count] : hire) {
        EXPECT_GT(count, 3) << "part " << part;
    }
}

// Every test of a part, run on the part's generated skeleton as the grader runs it on a learner's file.
class Skeletons : public ::testing::TestWithParam<std::string> {};

TEST_P(Skeletons, AreNotAttemptedInAnyTest) {
    for (const GradedTest& test : all_tests()) {
        if (part_name_of(test.step) != GetParam()) {
            continue;
        }
        const TestResult result = run_test(programs / ("skeleton_" + test.step), test, WORKBOOK_SOURCE_DIR);
        const bool needs_data = test.suite == "RealLayers" && result.outcome == Outcome::skipped;
        EXPECT_TRUE(result.outcome == Outcome::not_attempted || needs_data) << test.sentence();
    }
}

std::vector<std::string> part_names() {
    std::vector<std::string> names;
    for (const Part& part : Project(WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR).all()) {
        names.push_back(part.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(EveryPart, Skeletons, ::testing::ValuesIn(part_names()));

}  // namespace
}  // namespace workbook::app
