/// @file
/// Runs the tests of a step again to find out which mistakes are behind its wrong answers.
#pragma once

#include <functional>
#include <vector>

#include "app/results/results.hpp"
#include "app/run/ending.hpp"

namespace workbook::app {

/// Runs tests in some mode, and gives their results in order.
using RunAgain = std::function<std::vector<TestResult>(const std::vector<GradedTest>& tests, const RunMode& mode)>;

/// Names the mistakes behind the failed tests of a step. Its tests run once more and ask each of their answers what it
/// says of every suspect. When no mistake alone explains all wrong answers, pairs of mistakes are tried for a second.
void diagnose(StepResult& step, const RunAgain& run);

}  // namespace workbook::app
