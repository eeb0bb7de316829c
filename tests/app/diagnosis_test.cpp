// From wrong answers to named mistakes: pictures, findings, and the edits that wrong solutions are made of.
#include "app/judge/naming/diagnosis.hpp"
#include "app/judge/naming/crash.hpp"
#include "app/judge/naming/inquiry.hpp"
#include "app/show/report.hpp"

#include <gtest/gtest.h>

#include "tests/mistakes/batch.hpp"
#include "tests/mistakes/page.hpp"
#include "tests/support/picture.hpp"

namespace workbook::app {
namespace {

using grading::Mark;

TEST(Picture, HasALineForEachRowAndHead) {
    std::vector<Mark> marks(2 * 2 * 3 * 2, Mark::right);  // [B, H, T, d]
    marks[(1 * 2 + 0) * 3 * 2 + 2 * 2] = Mark::wrong;     // row 1, head 0, token 2
    marks[(1 * 2 + 1) * 3 * 2] = Mark::nan;               // row 1, head 1, token 0
    const std::vector<std::size_t> shape{2, 2, 3, 2};
    EXPECT_EQ(grading::picture_of(marks, shape),
              "  batch row 0, head 0  ...\n  batch row 0, head 1  ...\n"
              "  batch row 1, head 0  ..X\n  batch row 1, head 1  N..\n");
    EXPECT_EQ(grading::wrong_places(marks, shape), "only in batch row 1, tokens 0, 2, channel 0");
}

TEST(Picture, SaysNothingOfPlacesWhenAllIsWrong) {
    const std::vector<Mark> marks(6, Mark::wrong);
    EXPECT_EQ(grading::wrong_places(marks, std::vector<std::size_t>{2, 3}), "");
}

TestResult failed(const std::string& name, const std::set<std::string>& suspects) {
    TestResult result;
    result.test.suite = "Suite";
    result.test.name = name;
    result.outcome = Outcome::failed;
    result.suspects = suspects;
    return result;
}

TEST(Findings, NameTheMistakeThatExplainsMostTests) {
    const StepResult step{
        "1.3", "one head", {failed("One", {"scale_missing", "mask_strict"}), failed("Two", {"scale_missing"})}};
    const std::vector<Finding> findings = findings_of(step);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].mistakes, std::vector<std::string>{"scale_missing"});
    EXPECT_EQ(findings[0].tests.size(), 2U);
}

TEST(Findings, NameTwoMistakesThatFailDifferentTests) {
    const StepResult step{"1.3", "one head", {failed("One", {"scale_missing"}), failed("Two", {"mask_strict"})}};
    EXPECT_EQ(findings_of(step).size(), 2U);
}

TEST(Findings, PreferTheMistakeOfTheStepAndOneThatNothingSpeaksAgainst) {
    StepResult step{"1.4", "all heads", {failed("One", {"scale_missing", "scale_by_heads"})}};
    EXPECT_EQ(findings_of(step)[0].mistakes, std::vector<std::string>{"scale_by_heads"});
    step.tests[0].refuted = {"scale_by_heads"};
    EXPECT_EQ(findings_of(step)[0].mistakes, std::vector<std::string>{"scale_missing"});
    EXPECT_TRUE(findings_of(step)[0].is_firm());
    step.tests[0].refuted = {"scale_by_heads", "scale_missing"};
    EXPECT_EQ(findings_of(step)[0].refuting, std::vector<std::string>{"Suite one"});
}

TEST(Findings, AreNotFirmWhereTheMistakeDoesNotGiveAnotherWrongAnswer) {
    StepResult step{"1.4", "all heads", {failed("One", {"scale_missing", "scale_by_heads"}), failed("Two", {})}};
    step.tests[1].contrary = {"scale_by_heads"};
    EXPECT_EQ(findings_of(step)[0].mistakes, std::vector<std::string>{"scale_missing"});
    EXPECT_TRUE(findings_of(step)[0].is_firm());
    step.tests[1].contrary = {"scale_by_heads", "scale_missing"};
    const Finding finding = findings_of(step)[0];
    EXPECT_EQ(finding.unexplained, std::vector<std::string>{"Suite two"});
    const std::string text = finding_text(finding, Style{});
    EXPECT_NE(text.find("LOOKS LIKE: "), std::string::npos) << text;
    EXPECT_NE(
        text.find("Probably: it explains 1 of 2 failed tests (Suite one).\nAgainst it: Suite two fails in another"),
        std::string::npos)
        << text;
}

TEST(Findings, NameAtMostFourMistakes) {
    Finding finding;
    finding.mistakes = {"scale_missing", "scale_by_heads", "mask_strict", "softmax_no_max", "wo_missing", "wo_twice"};
    const std::string text = finding_text(finding, Style{});
    EXPECT_NE(text.find("softmax_no_max"), std::string::npos) << text;
    EXPECT_EQ(text.find("wo_missing"), std::string::npos) << text;
    EXPECT_NE(text.find("or one of 2 others\n"), std::string::npos) << text;
}

TEST(Findings, AreNoneWithoutASuspect) {
    EXPECT_TRUE(findings_of({"1.3", "one head", {failed("One", {})}}).empty());
}

TEST(Findings, LeaveOutWhatRightAnswersSpeakAgainstBesideWhatIsCertain) {
    StepResult step{"1.5", "the layer", {failed("One", {"input_changed"}), failed("Two", {"scale_missing"})}};
    EXPECT_EQ(findings_of(step).size(), 2U);
    step.tests[0].refuted = {"scale_missing"};
    ASSERT_EQ(findings_of(step).size(), 1U);
    EXPECT_EQ(findings_of(step)[0].mistakes, std::vector<std::string>{"input_changed"});
}

TEST(Findings, SayThatNoKnownMistakeFitsOnlyWhereNothingIsNamed) {
    StepResult step{"1.3", "one head", {failed("One", {}), failed("Two", {"scale_missing"})}};
    step.tests[0].unexplained = true;
    EXPECT_EQ(findings_text(step, Style{}, ""), "None of the known mistakes gives these answers.\n");
    step.findings = findings_of(step);
    EXPECT_EQ(findings_text(step, Style{}, "").find("None of the known mistakes"), std::string::npos);
}

// A step that is asked again: a run that looks for pairs finds one, and others say that the first mistake does not
// explain the second test.
TEST(Diagnosis, NamesTwoMistakesThatOnlyTogetherExplainAllTests) {
    StepResult step{"1.3", "one head", {failed("One", {"scale_missing"}), failed("Two", {})}};
    step.tests[1].unexplained = true;
    const std::string pair = "mask_strict+scale_missing";
    diagnose(step, [&](const std::vector<GradedTest>& tests, const RunMode& mode) {
        std::vector<TestResult> results(tests.size());
        if (mode.inquiry.starts_with("--pairs=scale_missing")) {
            EXPECT_EQ(tests.size(), 1U);
            results[0].suspects = {pair, "mask_strict+wo_twice"};
        } else {
            results[0].refuted = {"mask_strict+wo_twice"};
            results[1].contrary = {"scale_missing"};
        }
        return results;
    });
    ASSERT_EQ(step.findings.size(), 1U);
    EXPECT_EQ(step.findings[0].mistakes, std::vector<std::string>{pair});
    EXPECT_EQ(step.findings[0].tests.size(), 2U);
    const std::string text = finding_text(step.findings[0], Style{});
    EXPECT_EQ(text.find("TWO MISTAKES: "), 0U) << text;
    EXPECT_NE(text.find("(mask_strict),\nand: the scores are not scaled (scale_missing)"), std::string::npos) << text;
}

TEST(Diagnosis, TriesTheMistakesOfTwoFindingsTogether) {
    StepResult step{"1.3", "one head", {failed("One", {"scale_missing"}), failed("Two", {"mask_strict"})}};
    diagnose(step, [&](const std::vector<GradedTest>& tests, const RunMode&) {
        std::vector<TestResult> results(tests.size());
        if (tests.size() == 2) {
            results[0].contrary = {"mask_strict"};
            results[1].contrary = {"scale_missing"};
        }
        return results;
    });
    ASSERT_EQ(step.findings.size(), 1U);
    EXPECT_EQ(step.findings[0].mistakes, std::vector<std::string>{"mask_strict+scale_missing"});
}

TEST(LazyReductions, AreFoundInTheStepThatUsesThem) {
    const auto found = [](const std::string& line) {
        const std::string text =
            "// Step 1.1: a\nauto x = xt::sum(y, {1});\n// Step 1.2: b\nMatrix f() {\n    " + line + "\n}\n";
        return lazy_reduction_in(text, "answer.cpp", "1.2");
    };
    for (const std::string lazy :
         {"auto m = xt::amax(scores, {1}, xt::keep_dims);", "const auto& total = xt::sum<double>(weights, {1});",
          "return e / xt::sum(e, {1}, xt::keep_dims);", "auto&& m = amax(scores, {1}); // a comment"}) {
        EXPECT_EQ(found(lazy).place, "answer.cpp:5") << lazy;
        EXPECT_EQ(found(lazy).signature, lazy.substr(0, lazy.find(" //"))) << lazy;
    }
    for (const std::string computed :
         {"Tensor<1> m = xt::amax(scores, {1});", "auto m = xt::eval(xt::amax(scores, {1}, xt::keep_dims));",
          "auto m = xt::sum(e, {1}, xt::keep_dims | xt::evaluation_strategy::immediate);", "// auto m = xt::amax(x)"}) {
        EXPECT_EQ(found(computed).place, "") << computed;
    }
}

TEST(Edits, ReplaceLinesThatOccurOnce) {
    const edits::Edit edit = edits::parse_edit("part1_mha/solution.cpp\n<<<<<<<\n  b\n=======\n  c\n>>>>>>>\n");
    EXPECT_EQ(edit.part(), "1");
    EXPECT_EQ(edits::applied(edit, "a\n  b\nd\n"), "a\n  c\nd\n");
    EXPECT_THROW((void)edits::applied(edit, "a\nd\n"), edits::EditError);
    EXPECT_THROW((void)edits::applied(edit, "  b\n  b\n"), edits::EditError);
}

TEST(Edits, RefuseAFormThatIsNotTheirs) {
    EXPECT_THROW((void)edits::parse_edit("nothing\n"), edits::EditError);
    EXPECT_THROW((void)edits::parse_edit("part1_mha/solution.cpp\n<<<<<<<\n  b\n"), edits::EditError);
    EXPECT_THROW((void)edits::parse_edit("part1_mha/solution.cpp\nstray\n"), edits::EditError);
}

edits::WrongSolution wrong_solution(const std::string& name, const std::string& base, const std::string& line) {
    const std::string solution = "above\n// Step 1.1: a\none\n// Step 1.2: b\ntwo\n";
    edits::WrongSolution wrong{name, edits::parse_edit(base + "\n<<<<<<<\n" + line + "\n=======\nx\n>>>>>>>\n"), {}};
    wrong.steps = edits::steps_of(wrong.edit, solution);
    return wrong;
}

TEST(Edits, BelongToTheStepsInWhichTheyChangeSomething) {
    EXPECT_EQ(wrong_solution("a", "part1.cpp", "one").steps, (std::set<std::string>{"1.1"}));
    EXPECT_EQ(wrong_solution("a", "part1.cpp", "two").steps, (std::set<std::string>{"1.2"}));
    EXPECT_TRUE(wrong_solution("a", "part1.cpp", "above").steps.empty());
    EXPECT_THROW((void)wrong_solution("a", "part1.cpp", "elsewhere"), edits::EditError);
}

TEST(Edits, AreGradedTogetherWhenTheyChangeDifferentStepsOfOneSolution) {
    const auto batches = edits::batches_of({
        wrong_solution("a", "part1.cpp", "one"),
        wrong_solution("b", "part1.cpp", "one"),
        wrong_solution("c", "part1.cpp", "two"),
        wrong_solution("d", "other_part1.cpp", "two"),
        wrong_solution("e", "part1.cpp", "above"),
    });
    std::vector<std::string> together;
    for (const auto& batch : batches) {
        std::string names;
        for (const edits::WrongSolution& wrong : batch) {
            names += wrong.name;
        }
        together.push_back(names);
    }
    EXPECT_EQ(together, (std::vector<std::string>{"ac", "b", "d", "e"}));
}

TEST(Edits, AreNotBlamedForStepsThatTheyDoNotChange) {
    const auto step = [](const std::string& name, Outcome outcome) {
        TestResult test;
        test.test.points = 1;
        test.test.name = name;
        test.outcome = outcome;
        return StepResult{name, "", {test}, {}};
    };
    PartResult result;
    result.steps = {step("1.1", Outcome::failed), step("1.2", Outcome::failed)};
    const edits::WrongSolution in_first = wrong_solution("a", "part1.cpp", "one");
    EXPECT_EQ(edits::graded(in_first, result).failed.size(), 1U);
    EXPECT_EQ(edits::graded(wrong_solution("e", "part1.cpp", "above"), result).failed.size(), 2U);
}

TEST(PageOfTests, ShortensRunsOfNumbers) {
    EXPECT_EQ(edits::ranges_of({1, 2, 3, 5, 7, 8}), "1–3, 5, 7–8");
    EXPECT_EQ(edits::ranges_of({4}), "4");
}

TEST(PageOfTests, NumbersTheTestsOfAStepAndSaysWhichOnesFail) {
    const auto test = [](const std::string& name, const std::string& step, int points) {
        return GradedTest{"Suite", name, step, Level::hire, points};
    };
    const auto grade = [](const std::string& name, const std::vector<std::string>& failed) {
        return edits::Grade{name, name, failed, {name}, edits::Naming::right, true, true};
    };
    const std::string page =
        edits::page_of({grade("a", {"Suite one", "Suite two"}), grade("b", {"Suite three"})},
                       {test("Two", "1.2", 1), test("Data", "1.2", 0), test("One", "1.2", 1), test("Three", "1.1", 1)});
    EXPECT_NE(page.find("2 wrong solutions: 2 fail, 2 are named."), std::string::npos) << page;
    EXPECT_NE(page.find("Only one test catches these:\n\n- b\n\n"), std::string::npos) << page;
    EXPECT_NE(page.find("| 1 | Suite three | 1 |\n\n| wrong solution | fails |\n|---|---|\n| b | 1 |\n\n## Step 1.2"),
              std::string::npos)
        << page;
    EXPECT_NE(page.find("| 1 | Suite two | 1 |\n| 2 | Suite one | 1 |\n\n| wrong solution | fails |\n|---|---|\n"
                        "| a | 1–2 |\n"),
              std::string::npos)
        << page;
}

}  // namespace
}  // namespace workbook::app
