// What the daily loop shows: the screen of watch, two versions of a line, text in columns.
#include "app/show/screen.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/base/layout.hpp"
#include "app/show/compare.hpp"

namespace workbook::app {
namespace {

TEST(Wrapped, CountsColumnsAndNotBytes) {
    const Style colour{true, true};
    const std::string word = colour.bad("dddddddddd") + " ";  // 10 columns, 19 bytes
    std::string text;
    for (int i = 0; i < 7; ++i) {
        text += word;
    }
    EXPECT_EQ(wrapped(text, "").find('\n'), wrapped(text, "").size() - 1);
    EXPECT_EQ(columns_of("✓ ✗ · [T]"), 9U);
    EXPECT_EQ(padded(colour.good("ab"), 4), colour.good("ab") + "  ");
    EXPECT_EQ(clipped(colour.bold("abcdef"), 3), "\x1b[1mabc\x1b[0m");
}

TEST(Style, WithoutColourChangesNothing) {
    EXPECT_EQ(Style{}.bad("text"), "text");
}

TEST(Compared, GivesBothVersionsOfALine) {
    EXPECT_EQ(compared("a\nmine\nz\n", "a\nworked\nz\n", 80, {}), " a\n-mine\n+worked\n z\n");
    const std::string wide = compared("a\nmine\n", "a\nworked\n", 160, {});
    EXPECT_NE(wide.find("mine"), std::string::npos);
    EXPECT_EQ(std::count(wide.begin(), wide.end(), '\n'), 2) << wide;
}

StepResult step_with(const std::string& number, Outcome outcome, const std::string& failure = "") {
    StepResult step{number, "a step", {}};
    TestResult result;
    result.test = {"Suite", "DoesThis", number, Level::hire, 5};
    result.outcome = outcome;
    if (!failure.empty()) {
        result.failures = {failure};
    }
    step.tests.push_back(result);
    return step;
}

PartResult part_of(const std::vector<StepResult>& steps) {
    PartResult part;
    part.title = "a part";
    part.graded_from = "part1/exercise.cpp";
    part.steps = steps;
    return part;
}

std::string text_of(const View& view, const Size& size = {}) {
    std::string text;
    for (const std::string& line : screen_of(view, size, {false, true})) {
        text += line + "\n";
    }
    return text;
}

TEST(Screen, ShowsTheFailureOfTheFocusAndAllStates) {
    const std::vector<StepResult> steps{step_with("1.1", Outcome::passed),
                                        step_with("1.2", Outcome::failed, "expected 1\ngot 2"),
                                        step_with("1.3", Outcome::not_attempted)};
    const std::string text = text_of({part_of(steps), steps, "1.2", "", "", false, "graded"});
    EXPECT_NE(text.find(" ✓ 1.1   [✗ 1.2]   · 1.3"), std::string::npos) << text;
    EXPECT_NE(text.find("FAILED Suite does this\n  expected 1\n  got 2\n"), std::string::npos) << text;
}

TEST(Screen, SaysThatTheFocusPassesAndStaysThere) {
    const std::vector<StepResult> steps{step_with("1.1", Outcome::passed), step_with("1.2", Outcome::failed, "bad")};
    const std::string text = text_of({part_of(steps), steps, "1.1", "", "", false, ""});
    EXPECT_NE(text.find("Press n for step 1.2"), std::string::npos) << text;
    EXPECT_EQ(text.find("bad"), std::string::npos) << text;
}

TEST(Screen, GivesNoVerdictOnOneStep) {
    const std::vector<StepResult> steps{step_with("1.2", Outcome::passed)};
    PartResult part = part_of(steps);
    EXPECT_NE(text_of({part, steps, "1.2", "", "", false, ""}).find("strong hire"), std::string::npos);
    part.scope = "step 1.2";
    const std::string text = text_of({part, steps, "1.2", "", "", false, ""});
    EXPECT_NE(text.find("Step 1.2 passes."), std::string::npos) << text;
    EXPECT_EQ(text.find("hire"), std::string::npos) << text;
}

TEST(Screen, ShowsWhatDoesNotCompileBesideTheFocus) {
    std::vector<StepResult> steps{step_with("1.1", Outcome::not_attempted), step_with("1.2", Outcome::not_attempted)};
    steps[1].compiles = false;
    PartResult part = part_of(steps);
    part.uncompiled = {{"1.2", "part1/exercise.cpp", "part1/exercise.cpp:7:1: error: bad\n"}};
    for (const std::string focus : {"1.1", "1.2"}) {
        const std::string text = text_of({part, steps, focus, "", "", false, ""});
        const std::string says =
            "Step 1.2 does not compile; the rest is graded without it:\n  part1/exercise.cpp:7:1: error: bad";
        EXPECT_NE(text.find(says), std::string::npos) << text;
        EXPECT_EQ(text.find(says), text.rfind(says)) << text;
    }
}

TEST(Screen, NamesAFunctionThatIsNotDefined) {
    std::vector<StepResult> steps{step_with("1.1", Outcome::not_attempted)};
    steps[0].tests[0].lack = Lack::undefined;
    steps[0].undefined = {{"first", "int first(int x)", {"part1/exercise.cpp:3", "int frist(int x)"}}};
    const std::string text = text_of({part_of(steps), steps, "1.1", "", "", false, ""});
    EXPECT_NE(text.find("NOT DEFINED, or with other parameters: first"), std::string::npos) << text;
    EXPECT_NE(text.find("int frist(int x)"), std::string::npos) << text;
    EXPECT_EQ(text.find("To fill in"), std::string::npos) << text;
    EXPECT_EQ(text.find("not attempted"), std::string::npos) << text;
}

TEST(Screen, FitsTheWindowWithAHintInIt) {
    std::string failure;
    for (int i = 0; i < 100; ++i) {
        failure += "line " + std::to_string(i) + std::string(200, 'x') + "\n";
    }
    const std::vector<StepResult> steps{step_with("1.1", Outcome::failed, failure)};
    for (const Size size : {Size{24, 80}, Size{10, 30}, Size{50, 200}, Size{5, 20}}) {
        const auto lines = screen_of({part_of(steps), steps, "1.1", "the hint\n", "", false, ""}, size, {true, true});
        EXPECT_LT(lines.size(), size.rows);
        for (const std::string& line : lines) {
            EXPECT_LE(columns_of(line), size.columns) << line;
        }
    }
    EXPECT_NE(text_of({part_of(steps), steps, "1.1", "the hint\n", "", false, ""}).find("the hint"), std::string::npos);
}

TEST(NextOpen, GoesRound) {
    const std::vector<StepResult> steps{step_with("1.1", Outcome::failed), step_with("1.2", Outcome::passed),
                                        step_with("1.3", Outcome::not_attempted)};
    EXPECT_EQ(next_open(steps, ""), "1.1");
    EXPECT_EQ(next_open(steps, "1.1"), "1.3");
    EXPECT_EQ(next_open(steps, "1.3"), "1.1");
    EXPECT_EQ(next_open({steps[0]}, "1.1"), "");
    EXPECT_EQ(next_open({steps[1]}, ""), "");
}

}  // namespace
}  // namespace workbook::app
