/// @file
/// Runs many tests side by side.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "app/run/suite.hpp"

namespace workbook::app {

/// Runs tests side by side and keeps their order. When a test runs out of time, the program's other tests get less.
/// @param program_of  the program that contains a test
/// @param source_dir  paths in failures are shown relative to it
/// @param mode        how to run them
[[nodiscard]] std::vector<TestResult> run_tests(
    const std::vector<GradedTest>& tests,
    const std::function<std::filesystem::path(const GradedTest& test)>& program_of,
    const std::filesystem::path& source_dir, const RunMode& mode = {});

}  // namespace workbook::app
