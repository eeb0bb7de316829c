/// @file
/// The graded tests as the grader sees them: their list, and what running one gives.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "ending.hpp"

namespace workbook::grader {

/// What passing a test is needed for; no verdict needs the bonus.
enum class Level { hire, strong_hire, bonus };

/// A graded test, as its program lists it.
struct GradedTest {
    std::string suite;
    std::string name;
    std::string step;  ///< "1.3"
    Level level = Level::hire;
    int points = 0;
    std::string place{};  ///< "tests/part1/….cpp:67"

    /// The name as a sentence: "SoftmaxRows normalises rows and not columns".
    [[nodiscard]] std::string sentence() const;
    /// The part that the step belongs to.
    [[nodiscard]] int part() const { return step.front() - '0'; }
};

/// How a graded test went.
enum class Outcome { passed, failed, not_attempted, skipped };

/// A graded test with its result.
struct TestResult {
    GradedTest test;
    Outcome outcome = Outcome::failed;
    std::string missing_step;           ///< when not attempted: what is not implemented
    std::vector<std::string> failures;  ///< when failed: what was expected and what came
    std::string remark;                 ///< what the test itself has to say
    std::string output;                 ///< what the program printed
    std::set<std::string> suspects;     ///< when failed: mistakes of the catalogue that give all its wrong answers
    std::set<std::string> refuted;      ///< questioned mistakes that would have got a right answer of it wrong
    bool out_of_time = false;           ///< when failed: it was ended because its time was up
};

/// "hire", "strong hire", "bonus".
[[nodiscard]] std::string level_text(Level level);

/// Lists the tests of a program.
/// @param source_dir  places are given relative to it
/// @throws std::runtime_error when the program does not list any
[[nodiscard]] std::vector<GradedTest> list_tests(const std::filesystem::path& program,
                                                 const std::filesystem::path& source_dir);

/// Starts a program without running a test.
/// @return what keeps it from getting as far as its tests, such as a static object whose constructor crashes; empty
///         when nothing does
[[nodiscard]] std::string trouble_at_start(const std::filesystem::path& program, const RunMode& mode);

/// Runs one test in a process and a folder of its own, with limits on time and memory.
/// @param source_dir  paths in failures are shown relative to it
[[nodiscard]] TestResult run_test(const std::filesystem::path& program, const GradedTest& test,
                                  const std::filesystem::path& source_dir, const RunMode& mode = {});

/// "LetsNeighboursShareAHead" as "lets neighbours share a head".
[[nodiscard]] std::string words_of(const std::string& camel_case);

}  // namespace workbook::grader
