/// @file
/// From the wrong answers of a step's tests to the mistakes behind them.
#pragma once

#include <string>
#include <vector>

#include "app/base/system/terminal.hpp"
#include "app/judge/verdict.hpp"

namespace workbook::app {

/// The most mistakes that a finding names.
inline constexpr std::size_t most_names = 4;

/// All mistakes that give the wrong answers of some failed test.
[[nodiscard]] std::vector<std::string> suspects_of(const StepResult& step);

/// Explains as many failed tests as possible with as few mistakes as possible. Where several mistakes explain the same
/// tests, those that no answer of the step speaks against go first, then those that belong to the step, and the others
/// are not named.
[[nodiscard]] std::vector<Finding> findings_of(const StepResult& step);

/// Whether the test has wrong answers that no firm finding of the step explains.
[[nodiscard]] bool is_open(const StepResult& step, const TestResult& test);

/// Those pairs of mistakes that no answer of the step speaks against; they explain all tests that are open. No mistakes
/// when there is none.
[[nodiscard]] Finding finding_of_pairs(const StepResult& step, const std::vector<std::string>& pairs);

/// How the reader is told: the mistake's title, what it does, where it hides, how to look for it.
[[nodiscard]] std::string finding_text(const Finding& finding, const Style& style);

}  // namespace workbook::app
