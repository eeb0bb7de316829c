/// @file
/// Grades the learner's own files, the way `start` has set it up, and notes what passes.
#pragma once

#include "app/judge/check.hpp"
#include "app/steps/progress.hpp"

namespace workbook::app {

/// What a part that is carried along is graded with.
[[nodiscard]] std::string carried_text(const Part& part);

/// check_part, for a request that may be carried along. Notes steps that pass for the first time when the learner's own
/// files are graded. Call it under a BuildLock.
/// @throws as check_part
[[nodiscard]] PartResult grade(const Project& project, const Request& request, const Part& part);

/// The learner's part, graded under a lock of its own; quick for a file that is still the empty exercise.
/// @param steps  that are graded; all when empty
/// @throws as check_part
[[nodiscard]] PartResult grade_own(const Project& project, const Part& part,
                                   const std::vector<std::string>& steps = {});

}  // namespace workbook::app
