/// @file
/// The graded tests as the grader sees them: their list, and what running one gives.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/results/results.hpp"
#include "app/run/ending.hpp"

namespace workbook::app {

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

}  // namespace workbook::app
