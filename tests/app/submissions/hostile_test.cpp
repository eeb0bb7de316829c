// Submissions that crash, hang, run away or cheat: none passes, each is reported for what it is, and the steps that
// have nothing to do with it keep their results.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cctype>

#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

// The worked solution of part 3 whose step 3.1 misbehaves in the way that the environment names.
const std::string& hostile_answer() {
    static const std::string text = read_file(source_folder() / "tests" / "app" / "submissions" / "misbehave.hpp") +
                                    solution_with("3", "    return query_head / group_size;",
                                                  "    misbehave(\"\");\n    return query_head / group_size;");
    return text;
}

RunResult grade_misbehaving(const std::string& how) {
    return grade("3", hostile_answer(), {"MISBEHAVIOUR=" + how});
}

// The report with its line breaks undone, so that a sentence is found wherever it was broken.
std::string in_one_line(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\n';
        if (!space || (!line.empty() && line.back() != ' ')) {
            line += space ? ' ' : c;
        }
    }
    return line;
}

// What the grader has to say of a misbehaviour.
struct Case {
    std::string how;
    std::string message;
};

class Misbehaviour : public ::testing::TestWithParam<Case> {};

TEST_P(Misbehaviour, FailsItsStepAndNoOther) {
    const RunResult result = grade_misbehaving(GetParam().how);
    EXPECT_EQ(result.exit_code, 1);
    const std::string text = in_one_line(result.output);
    EXPECT_NE(text.find("FAILED KvHeadOf lets neighbours share a head " + GetParam().message), std::string::npos)
        << "expected: " << GetParam().message << "\ngot:\n"
        << result.output;
    EXPECT_NE(text.find("3.1 which key/value head? 0 of 3 tests 0/ 9 points"), std::string::npos) << text;
    EXPECT_NE(text.find("34/34 points"), std::string::npos) << text;
    EXPECT_NE(text.find("49/49 points"), std::string::npos) << text;
    EXPECT_NE(text.find("8/ 8 points"), std::string::npos) << text;
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
    std::string name;
    bool first = true;
    for (const char c : info.param.how) {
        if (c != ' ') {
            name += first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        }
        first = c == ' ';
    }
    return name;
}

const std::string calls_exit = "ended before the test did, with exit code 0: does your code call exit?";
const std::string killed = "was ended: Killed; likely cause: too much memory, or your code sends signals";
const std::string unsigned_report = "the test's report is not signed: your code wrote one itself";
// Of processor time; or of time, where a busy machine gives too little of it.
const std::string loops = "did not finish within ";
const std::string forks = "your code starts one process after another and leaves them behind";
const std::string rests = "was idle for ";

INSTANTIATE_TEST_SUITE_P(
    Reported, Misbehaviour,
    ::testing::Values(
        Case{"abort",
             "crashed: Aborted; likely cause: memory written out of bounds or freed twice, or a call of abort"},
        Case{"allocate at once", "asked for more memory than a test may have"},
        Case{"allocate bit by bit", "asked for more memory than a test may have"},
        Case{"close output", "your code closed standard output"},
        Case{"crash", "crashed: Segmentation fault; likely cause: a wild pointer"}, Case{"deadlock", rests},
        Case{"exit", calls_exit}, Case{"exit at once", calls_exit}, Case{"exit quickly", calls_exit},
        Case{"exit as if not found", "ended before the test did, with exit code 127"},
        Case{"forge a report", unsigned_report}, Case{"fork twice", "your code started a process and left it behind"},
        Case{"fork", "your code started a process and left it behind"}, Case{"fork in every call", forks},
        Case{"fork twice in every call", forks},
        Case{"fork the test", "your code started a process and left it behind"}, Case{"imitate a pass", calls_exit},
        Case{"kill the group", killed}, Case{"kill the parent", killed}, Case{"loop", loops},
        Case{"print without end", loops}, Case{"recurse", "the stack is used up: recursion without end"},
        Case{"replace the report", calls_exit}, Case{"swallow signals", loops},
        Case{"terminate", "crashed: Aborted; likely cause: an exception that nobody can catch"},
        Case{"thread", "your code left a thread running"},
        Case{"throw a number", "threw something that is not a std::exception"}),
    test_name);

TEST(Misbehaviour, InALoopGivesOtherTestsOfTheStepLessTime) {
    (void)grade("3", hostile_answer());
    const RunResult result = check("3", {"--verbose", "--file", answer_file().string()}, {"MISBEHAVIOUR=loop"});
    EXPECT_NE(in_one_line(result.output).find("(Less time than usual, because another test of this step"),
              std::string::npos)
        << result.output;
}

// A static object of the file, which every test of every step meets.
class StaticMisbehaviour : public ::testing::TestWithParam<Case> {};

TEST_P(StaticMisbehaviour, IsReportedOnce) {
    const RunResult result = grade_misbehaving("static " + GetParam().how);
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "It builds, but does not start:");
    expect_no_text(result, "FAILED");
    EXPECT_NE(in_one_line(result.output)
                  .find("a static or global object of the file keeps every test from starting: " + GetParam().message),
              std::string::npos)
        << result.output;
}

INSTANTIATE_TEST_SUITE_P(Reported, StaticMisbehaviour,
                         ::testing::Values(Case{"crash", "crashed: Segmentation fault"}, Case{"exit", "ended before"},
                                           Case{"loop", loops}, Case{"recurse", "the stack is used up"},
                                           Case{"throw a number", "crashed: Aborted"}),
                         test_name);

TEST(StaticMisbehaviour, ThatReadsStandardInputFindsNothingThere) {
    const RunResult result = grade_misbehaving("static read input");
    EXPECT_EQ(result.exit_code, 0);
    expect_no_text(result, "your code printed");
}

TEST(StaticMisbehaviour, ThatForgesAReportMakesNoTestPass) {
    const RunResult result = grade_misbehaving("static forge a report");
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "It builds, but does not start:");
}

// What the tests, the oracle and the harness would use in the place of their own.
TEST(Submissions, ThatDefineWhatTheTestsUseAreRefused) {
    const std::vector<std::pair<std::string, std::string>> definitions{
        {"_exit", "extern \"C\" [[noreturn]] void _exit(int) { __builtin_trap(); }\n"},
        {"sqrt", "extern \"C\" double sqrt(double) noexcept { return 1; }\n"},
    };
    for (const auto& [name, definition] : definitions) {
        const RunResult result = grade("3", definition + solution_with("3", "", ""));
        EXPECT_EQ(result.exit_code, 1) << name;
        expect_text(result, "your file defines " + name + ", which the tests would then use too");
    }
}

TEST(Submissions, ThatMakeTheCompilerWaitAreEnded) {
    const std::filesystem::path pipe = build_folder() / "graded" / "pipe";
    std::filesystem::remove(pipe);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    expect_text(grade("3", "#include \"pipe\"\n"), "the build was ended: it had been idle for 30 seconds");
    std::filesystem::remove(pipe);
}

TEST(Submissions, ThatOnlyReadOrWriteAFilePass) {
    EXPECT_EQ(grade_misbehaving("read input").exit_code, 0);
    EXPECT_EQ(grade_misbehaving("leave a file").exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists("left-by-a-test.txt"));
}

TEST(Submissions, LeaveNothingInTheTemporaryFolder) {
    const std::filesystem::path folder = build_folder() / "graded" / "temporary";
    std::filesystem::create_directories(folder);
    EXPECT_EQ(grade("3", hostile_answer(), {"MISBEHAVIOUR=leave a file", "TMPDIR=" + folder.string()}).exit_code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Submissions, ThatIncludeTheWorkedSolutionAreRefused) {
    for (const std::string path : {"/part1_mha/solution.cpp", "/part1_mha/../part1_mha/solution.cpp"}) {
        const RunResult result = grade("1", "#include \"" + source_folder().string() + path + "\"\n");
        EXPECT_EQ(result.exit_code, 1);
        expect_text(result, "It is not graded:");
        expect_text(result, "your file includes the worked solution: part1_mha/solution.cpp");
    }
}

TEST(Submissions, ThatIncludeTheReferenceAreRefused) {
    const std::string include = "#include \"" + source_folder().string() + "/reference/oracle.hpp\"\n";
    const RunResult result = grade("1", include + solution_with("1", "", ""));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "your file includes code of the tests: reference/oracle.hpp");
}

TEST(Submissions, ThatCallTheTestsAreRefused) {
    const std::string declaration = "namespace workbook::grading { void remark(const std::string& text); }\n";
    const RunResult result =
        grade("3", "#include <string>\n" + declaration +
                       solution_with("3", "    return query_head / group_size;",
                                     "    grading::remark(\"all is well\");\n    return query_head / group_size;"));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "your file calls code of the tests");
}

}  // namespace
}  // namespace workbook::app
