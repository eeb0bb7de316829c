// One step, and one test: `check 2.1`, `check 2.1 "words of its name"`.
#include <gtest/gtest.h>

#include "app/build/graded_files.hpp"
#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

// Steps 2.1 and 2.2 are wrong.
std::string wrong_in_two_steps() {
    std::string text = solution_with("2", "positions(b, t) = static_cast<Position>(past[b] + t);",
                                     "positions(b, t) = static_cast<Position>(t);");
    const std::string advance = "lengths_[b] += n_new[b];";
    return text.replace(text.find(advance), advance.size(), "lengths_[b] += 1;");
}

TEST(OneStep, IsGradedAloneAndHasNoVerdict) {
    const RunResult result = grade("2.2", wrong_in_two_steps());
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "FAILED CallPositions continue behind");
    expect_text(result, "only step 2.2: ");
    expect_no_text(result, "FAILED Append");
    expect_no_text(result, "hire");
}

TEST(OneStep, PassesWhenOthersDoNot) {
    EXPECT_EQ(grade("2.4", wrong_in_two_steps()).exit_code, 0);
}

TEST(OneTest, IsFoundByWordsOfItsName) {
    const RunResult result = check("2.1", {"IN PLACE", "--solution"});
    EXPECT_EQ(result.exit_code, 0);
    expect_text(result, "only tests of step 2.1 with \"IN PLACE\" in their names");
    expect_text(result, "1 of 1 test");
}

TEST(OneTest, ThatIsNotThereIsRefused) {
    const RunResult result = check("2.1", {"no such words", "--solution"});
    EXPECT_EQ(result.exit_code, 2);
    expect_text(result, "TEST: words in the name of a test of 2.1 were expected, got \"no such words\"");
    expect_text(result, "./workbook list 2.1");
}

TEST(Request, SaysWhatItGrades) {
    Request request;
    EXPECT_EQ(request.scope(), "");
    request.steps = {"2.1", "2.3"};
    EXPECT_EQ(request.scope(), "steps 2.1 and 2.3");
    request.test = "long";
    EXPECT_EQ(request.scope(), "tests of steps 2.1 and 2.3 with \"long\" in their names");
}

}  // namespace
}  // namespace workbook::app
