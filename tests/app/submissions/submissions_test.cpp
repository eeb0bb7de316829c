// Submissions of all kinds, graded like a learner's file: `check PART --file PATH`.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

TEST(Submissions, AreGradedFromTheNamedFileOnly) {
    const RunResult result = grade("3", solution_with("3", "", ""));
    EXPECT_EQ(result.exit_code, 0) << result.output;
    expect_text(result, "answer.cpp");
    expect_text(result, "100 of 100 points, strong hire");
}

TEST(Submissions, AreCompiledEvenWhenTheirTimeStampIsOld) {
    // A restored backup: other contents, and older than what was compiled before.
    (void)grade("3", solution_with("3", "", ""));
    std::ofstream(answer_file()) << solution_with("3", "return query_head / group_size;",
                                                  "return query_head % group_size;");
    std::filesystem::last_write_time(answer_file(),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
    const RunResult result = check("3", {"--file", answer_file().string()});
    expect_text(result, "FAILED KvHeadOf");
}

TEST(Submissions, WithOneWrongStepLoseThatStepOnly) {
    // No head is scaled: step 1.3 fails, and steps 1.4 and 1.5 are graded on the worked 1.3.
    const RunResult result =
        grade("1", solution_with("1", "scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));", ""));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "FAILED AttendHead scales scores by the head width");
    expect_text(result, "differs first at [");
    expect_text(result, "tests/part1/step_1_3_attend_head_test.cpp:");
    expect_no_text(result, "FAILED AttendHeads");
    expect_no_text(result, "FAILED Forward");
    expect_text(result, "weak: for hire, these fail");
    expect_text(result, "Next: fix step 1.3 (one head)");
}

TEST(Submissions, ThatDoNotCompileShowTheirOwnLine) {
    const RunResult result =
        grade("1", solution_with("1", "static_cast<Scalar>(q.shape(1))", "static_cast<Scalar>(q.shpe(1))"));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "Step 1.3 does not compile");
    expect_text(result, "answer.cpp:");
    expect_text(result, "q.shpe(1)");
}

TEST(Submissions, ThatFailInsideALibraryShowTheirOwnLineFirst) {
    const RunResult result = grade("2", solution_with("2", "auto slots = xt::range(", "const auto slots = xt::range("));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "xt::view(keys_, b, h, slots)");
    EXPECT_LT(std::count(result.output.begin(), result.output.end(), '\n'), 30) << result.output;
}

TEST(Submissions, ThatRemoveTheProgramAreToldSo) {
    const std::string place = "namespace workbook {\n";
    const RunResult result =
        grade("3", solution_with("3", place,
                                 "#include <filesystem>\nnamespace { const bool is_removed = "
                                 "std::filesystem::remove(std::filesystem::read_symlink(\"/proc/self/exe\")); }\n" +
                                     place));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "the program with the tests is not there any more");
    EXPECT_EQ(grade("3", solution_with("3", "", "")).exit_code, 0);  // the next one is graded as ever
}

TEST(Submissions, MayPrint) {
    const RunResult result = grade(
        "3", solution_with("3", "return query_head / group_size;", "std::puts(\"head asked\"); return query_head;"));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "your code printed:");
    expect_text(result, "head asked");
}

TEST(Submissions, WithAnEmptyStepAreNotFailedForIt) {
    const RunResult result =
        grade("3", solution_with("3", "return query_head / group_size;", "throw NotImplemented(\"3.1 kv_head_of\");"));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "not attempted");
    expect_text(result, "unfinished: right so far; not attempted yet: 3.1");
    expect_no_text(result, "FAILED");
}

}  // namespace
}  // namespace workbook::app
