/// @file
/// From test results to points and a verdict.
#pragma once

#include <string>
#include <vector>

#include "app/results/results.hpp"
#include "app/steps/project.hpp"

namespace workbook::app {

/// A part's result before it is graded: what the part is called, and the file that its answers come from.
[[nodiscard]] PartResult result_of(const Part& part, const std::string& graded_from);

/// Puts results, in their order, under the steps they belong to. A step without any is left out.
/// @param titles  those of all steps, in order
[[nodiscard]] std::vector<StepResult> by_step(const std::vector<TestResult>& results,
                                              const std::vector<steps::StepTitle>& titles);

/// What an interviewer would say of a part.
enum class Rating { not_attempted, unfinished, weak, hire, strong_hire };

/// A rating with its reason, a sentence or two.
struct Verdict {
    Rating rating = Rating::not_attempted;
    std::string reason;
};

/// "strong hire", "not attempted" and so on.
[[nodiscard]] std::string rating_text(Rating rating);

/// Weak: a test needed for hire fails. Hire: all of those pass. Strong hire: everything passes.
/// While steps that hire needs are missing and nothing failed, the part is unfinished.
[[nodiscard]] Verdict verdict_of(const std::vector<StepResult>& steps);

}  // namespace workbook::app
