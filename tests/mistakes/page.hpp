/// @file
/// The page that says which test catches which mistake.
#pragma once

#include <string>
#include <vector>

#include "app/results/results.hpp"
#include "tests/mistakes/table.hpp"

namespace workbook::edits {

/// Numbers in order, runs of them shortened: "1–3, 5".
[[nodiscard]] std::string ranges_of(const std::vector<std::size_t>& numbers);

/// For each step its tests, numbered, and the wrong solutions with the numbers of the tests that they fail.
/// @param grades  of all wrong solutions, by name
/// @param tests   all graded tests; those without points are left out
[[nodiscard]] std::string page_of(const std::vector<Grade>& grades, const std::vector<app::GradedTest>& tests);

}  // namespace workbook::edits
