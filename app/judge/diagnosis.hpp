/// @file
/// From the wrong answers of a step's tests to the mistakes behind them.
#pragma once

#include <string>
#include <vector>

#include "app/base/system/terminal.hpp"
#include "app/judge/verdict.hpp"

namespace workbook::app {

/// Explains as many failed tests as possible with as few mistakes as possible. Where several mistakes explain the same
/// tests, those that belong to the step and that no right answer speaks against go first, and are the only ones named.
[[nodiscard]] std::vector<Finding> findings_of(const StepResult& step);

/// All mistakes that the findings name; right answers may speak against some of them.
[[nodiscard]] std::vector<std::string> named_in(const std::vector<Finding>& findings);

/// How the reader is told: the mistake's title, what it does, where it hides, how to look for it.
[[nodiscard]] std::string finding_text(const Finding& finding, const Style& style);

}  // namespace workbook::app
