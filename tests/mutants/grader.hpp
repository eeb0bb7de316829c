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
[[nodiscard]] std::vector<Graded> grade(const app::Project& project, const std::vector<Mutant>& mutants,
                                        const std::vector<Equivalent>& equivalents);

}  // namespace workbook::mutants
