/// @file
/// Builds and grades mutants.
#pragma once

#include <string>
#include <vector>

#include "app/steps/project.hpp"
#include "tests/mutants/equivalent.hpp"
#include "tests/mutants/figures.hpp"

namespace workbook::mutants {

/// Grades mutants of one step that are made of the same answer, as the grader grades a step: on the worked steps before
/// it, each test in a process of its own, within the grader's limits.
/// @param equivalents  what the list has; a survivor among them is fine
/// @param naming       whether to name mistakes as well; if not, the first failed test is the last one
[[nodiscard]] std::vector<Graded> grade(const app::Project& project, const std::vector<Mutant>& mutants,
                                        const std::vector<Equivalent>& equivalents, bool naming);

}  // namespace workbook::mutants
