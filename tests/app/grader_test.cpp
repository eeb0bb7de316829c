// The grader's own parts: running programs, reading compiler output, verdicts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/base/system/process.hpp"
#include "app/build/compiler_log.hpp"
#include "app/build/symbols.hpp"
#include "app/judge/verdict.hpp"
#include "app/show/report.hpp"

namespace workbook::app {
namespace {

RunResult shell(const std::string& script, std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    return run({"sh", "-c", script}, {.wall_clock = limit});
}

TEST(Run, GivesOutputAndExitCode) {
    const RunResult result = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(result.output, "out\nerr\n");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_FALSE(result.succeeded());
}

TEST(Run, GivesTheSignalThatEndedAProgram) {
    EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV);
}

TEST(Run, EndsAProgramWhenTheTimeIsUp) {
    EXPECT_TRUE(shell("sleep 1000", std::chrono::milliseconds(100)).timed_out);
    EXPECT_TRUE(shell("while :; do echo y; done", std::chrono::milliseconds(200)).timed_out);
}

TEST(Run, EndsAProgramThatRests) {
    Limits limits;
    limits.rest = std::chrono::seconds(1);
    EXPECT_TRUE(run({"sh", "-c", "while sleep 0.01; do :; done"}, limits).timed_out);
}

TEST(Run, KnowsThatAProgramIsAtWorkWhenOneThatItStartedIs) {
    Limits limits;
    limits.rest = std::chrono::seconds(1);
    limits.processor_time = std::chrono::seconds(3);
    // In a group of its own, as ninja starts compilers.
    const RunResult result = run({"setsid", "--fork", "--wait", "sh", "-c", "while :; do :; done"}, limits);
    EXPECT_FALSE(result.timed_out);
    EXPECT_NE(result.exit_code, 0);  // its processor time was up
}

TEST(Run, DoesNotWaitForProgramsLeftInTheBackground) {
    const RunResult result = shell("sleep 1000 & echo done");
    EXPECT_EQ(result.output, "done\n");
    EXPECT_TRUE(result.succeeded());
}

TEST(Run, KeepsTheStartOfEndlessOutput) {
    EXPECT_LE(shell("yes", std::chrono::milliseconds(300)).output.size(), 256U * 1024);
}

TEST(Run, GivesNoInput) {
    EXPECT_TRUE(shell("read line && exit 1; exit 0").succeeded());
}

TEST(Run, SaysWhenAProgramCannotBeStarted) {
    EXPECT_THROW((void)run({"/no/such/program"}, {}), std::runtime_error);
}

// A file with three lines, and what compilers say about it.
class DigestOf : public ::testing::Test {
protected:
    DigestOf() { std::ofstream(file_) << "line one\nline two is here\nline three\n"; }
    ~DigestOf() override { std::filesystem::remove(file_); }

    [[nodiscard]] std::string of(const std::string& log) const {
        std::string named = log;
        for (std::size_t at = named.find("FILE"); at != std::string::npos; at = named.find("FILE")) {
            named.replace(at, 4, file_.string());
        }
        const Digest about = digest(named, file_, "answer.cpp");
        return about.errors.empty() ? about.warnings : about.errors;
    }

    std::filesystem::path file_ = std::filesystem::temp_directory_path() / "workbook_digest_test.cpp";
};

TEST_F(DigestOf, ShowsTheLineOfAnError) {
    EXPECT_EQ(of("[3/7] Building\nFILE:2:6: error: 'two' was not declared\n    2 | line two\n"),
              "answer.cpp:2:6: error: 'two' was not declared\n    line two is here\n         ^\n");
}

TEST_F(DigestOf, ShowsTheLineThatLedIntoALibrary) {
    const std::string text =
        of("In file included from FILE:1:\n"
           "/usr/include/xtensor/xview.hpp: In instantiation of 'x<y>':\n"
           "/usr/include/xtensor/xview.hpp:20:1:   required from 'z'\n"
           "FILE:3:2:   required from here\n"
           "/usr/include/xtensor/xview.hpp:906:11: error: no matching function\n"
           "/usr/include/xtensor/xview.hpp:907:11: error: another one\n");
    EXPECT_EQ(text, "answer.cpp:3:2: error: no matching function\n    line three\n     ^\n");
}

TEST_F(DigestOf, ShowsTheLineThatLedIntoALibraryForClangToo) {
    const std::string text =
        of("In file included from <built-in>:436:\n"
           "/usr/include/xtensor/xview.hpp:906:11: error: no matching constructor\n"
           "/usr/include/xtensor/xview.hpp:879:11: note: in instantiation of function 'x'\n"
           "FILE:3:2: note: in instantiation of function template 'y' requested here\n");
    EXPECT_EQ(text, "answer.cpp:3:2: error: no matching constructor\n    line three\n     ^\n");
}

TEST_F(DigestOf, ShowsWarningsWhenThereIsNoError) {
    EXPECT_NE(of("FILE:1:1: warning: unused variable\n").find("warning: unused variable"), std::string::npos);
    EXPECT_EQ(of("FILE:1:1: warning: unused variable\nFILE:2:1: error: bad\n").find("warning"), std::string::npos);
}

TEST(LinkErrors, NameFunctionsThatAreNotDefined) {
    const std::string says = "this function is not defined, or with other parameters: ";
    EXPECT_EQ(link_errors("ld: x.o: in function `f':\nundefined reference to `workbook::softmax_rows(int)'\n"),
              says + "workbook::softmax_rows\n");
    EXPECT_EQ(link_errors("mold: error: undefined symbol: workbook::kv_head_of(unsigned long)\n"),
              says + "workbook::kv_head_of\n");
}

TEST(LinkErrors, NameFunctionsThatAreDefinedTwice) {
    const std::string says = "this function is defined twice (put helpers into namespace { … }): ";
    EXPECT_EQ(link_errors("mold: error: duplicate symbol: a/main.cpp.o: b/part1.cpp.o: main\n"), says + "main\n");
    EXPECT_EQ(link_errors("ld: b.o: in function `f':\nmultiple definition of `workbook::matmul(int)'; a.o: first\n"),
              says + "workbook::matmul\n");
}

TEST(ForeignDefinitions, AreThoseThatTheTestsWouldUse) {
    const std::string of_compiler = "0000000000000000 V DW.ref.__gxx_personality_v0\n";
    const std::string of_answer = "0000000000000010 W _ZN8workbook10kv_head_ofEmmm\n0000000000000020 T _Z6helperv\n";
    const std::string of_template = "0000000000000030 W _ZNSt6vectorIdSaIdEE9push_backERKd\n";
    EXPECT_EQ(foreign_definitions_in(of_compiler + of_answer + of_template), "");
    EXPECT_EQ(foreign_definitions_in(of_answer + "0000000000000000 T sqrt\n0000000000000000 W malloc\n"),
              "malloc, sqrt");
    EXPECT_EQ(foreign_definitions_in("0000000000000000 T _Znwm\n0000000000000000 T _ZdlPv\n"),
              "operator delete, operator new");
    EXPECT_EQ(foreign_definitions_in("0000000000000000 W _ZN8workbook9reference6oracleEv\n"),
              "_ZN8workbook9reference6oracleEv");
    EXPECT_EQ(foreign_definitions_in("0000000000000000 i _Z6helperv\n"), "_Z6helperv");
    // A specialisation of a library's template is one for the tests too.
    EXPECT_EQ(foreign_definitions_in("0000000000000000 T _ZN2xt5arangeEv\n0000000000000000 W _ZN2xt4viewEv\n"),
              "_ZN2xt5arangeEv");
}

TEST(EverythingPrinted, IsAllOfALongListing) {
    const std::string text = everything_printed_by({"sh", "-c", "yes 123456789 | head -n 100000; echo sqrt"});
    EXPECT_EQ(text.size(), 1000000U + 5U);
    EXPECT_TRUE(text.ends_with("\nsqrt\n"));
    EXPECT_EQ(everything_printed_by({"no-such-program"}), "");
}

TEST_F(DigestOf, StopsAfterAFewMessages) {
    const std::string text = of(
        "FILE:1:1: error: a\nFILE:1:9: error: same line\nFILE:2:1: error: b\nFILE:3:1: error: c\nFILE:4:1: error: d\n");
    EXPECT_NE(text.find("error: c"), std::string::npos);
    EXPECT_EQ(text.find("error: d"), std::string::npos);
    EXPECT_NE(text.find("(and 1 more)"), std::string::npos);
}

TEST_F(DigestOf, KnowsTheLinesOfErrorsAndTakesInThoseThatAreWanted) {
    const std::string log = file_.string() + ":2:1: error: b\n" + file_.string() + ":1:1: error: a\n" + file_.string() +
                            ":2:5: error: c\n" + file_.string() + ":3:1: warning: d\n";
    EXPECT_EQ(digest(log, file_, "answer.cpp").error_lines, (std::vector<std::size_t>{2, 1}));
    const Digest first = digest(log, file_, "answer.cpp", 3, [](std::size_t line) { return line == 1; });
    EXPECT_EQ(first.errors, "answer.cpp:1:1: error: a\n    line one\n    ^\n");
}

TEST_F(DigestOf, IsEmptyWhenTheLogIsAboutOtherFiles) {
    EXPECT_EQ(of("/else/where.cpp:1:1: error: bad\n"), "");
}

TEST(WordsOf, TurnsANameIntoASentence) {
    EXPECT_EQ(words_of("LetsNeighboursShareAHead"), "lets neighbours share a head");
    EXPECT_EQ(words_of("NeverShowsNan"), "never shows NaN");
}

StepResult step_of(const std::vector<std::pair<Level, Outcome>>& tests) {
    StepResult step{"1.1", "a step", {}};
    for (const auto& [level, outcome] : tests) {
        TestResult result;
        result.test = {"Suite", "DoesThis", "1.1", level, 5};
        result.outcome = outcome;
        step.tests.push_back(result);
    }
    return step;
}

Rating rating_of(const std::vector<std::pair<Level, Outcome>>& tests) {
    return verdict_of({step_of(tests)}).rating;
}

TEST(Verdict, FollowsTheLevelsOfTheTests) {
    using enum Level;
    using enum Outcome;
    EXPECT_EQ(rating_of({{hire, passed}, {strong_hire, passed}}), Rating::strong_hire);
    EXPECT_EQ(rating_of({{hire, passed}, {strong_hire, failed}}), Rating::hire);
    EXPECT_EQ(rating_of({{hire, passed}, {strong_hire, not_attempted}}), Rating::hire);
    EXPECT_EQ(rating_of({{hire, failed}, {strong_hire, passed}}), Rating::weak);
    EXPECT_EQ(rating_of({{hire, failed}, {hire, not_attempted}}), Rating::weak);
    EXPECT_EQ(rating_of({{hire, passed}, {hire, not_attempted}}), Rating::unfinished);
    EXPECT_EQ(rating_of({{hire, not_attempted}, {strong_hire, not_attempted}}), Rating::not_attempted);
    EXPECT_EQ(rating_of({{hire, passed}, {strong_hire, skipped}}), Rating::strong_hire);
}

TEST(Verdict, TakesAStepThatDoesNotCompileForAFailedOne) {
    StepResult broken = step_of({{Level::hire, Outcome::not_attempted}});
    broken.compiles = false;
    const Verdict verdict = verdict_of({step_of({{Level::hire, Outcome::passed}}), broken});
    EXPECT_EQ(verdict.rating, Rating::weak);
    EXPECT_EQ(verdict.reason, "for hire, step 1.1 does not compile");
    EXPECT_FALSE(broken.passed());
    EXPECT_EQ(state_of(broken), "does not compile");
}

TEST(Verdict, NamesFunctionsThatAreNotDefined) {
    StepResult step = step_of({{Level::hire, Outcome::not_attempted}});
    step.undefined = {{"split_heads", ""}};
    const Verdict verdict = verdict_of({step_of({{Level::hire, Outcome::passed}}), step});
    EXPECT_EQ(verdict.rating, Rating::unfinished);
    EXPECT_EQ(verdict.reason, "right so far; not defined, or with other parameters: split_heads (1.1)");
    EXPECT_EQ(state_of(step), "not defined");
}

TEST(Verdict, SaysWhatIsMissing) {
    const Verdict verdict =
        verdict_of({step_of({{Level::hire, Outcome::passed}, {Level::strong_hire, Outcome::failed}})});
    EXPECT_EQ(verdict.reason, "for strong hire, these fail: Suite does this");
}

TEST(StepResult, CountsPointsOfPassedTests) {
    const StepResult step = step_of({{Level::hire, Outcome::passed}, {Level::hire, Outcome::failed}});
    EXPECT_EQ(step.points(), 5);
    EXPECT_EQ(step.max_points(), 10);
    EXPECT_TRUE(step.attempted());
    EXPECT_FALSE(step.passed());
}

}  // namespace
}  // namespace workbook::app
