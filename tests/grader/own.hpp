/// @file
/// Grades the learner's own files, the way `start` has set it up, and notes what passes.
#pragma once

#include "check.hpp"
#include "progress.hpp"

namespace workbook::grader {

/// The request as it is meant for one part: the current part of a learner who carries along is graded on top of their
/// other files, unless the request names what to grade.
[[nodiscard]] Request request_for(const Request& request, const Progress& progress, int part);

/// What a part that is carried along is graded with.
[[nodiscard]] std::string carried_text(int part);

/// check_part, for a request that may be carried along. Notes steps that pass for the first time when the learner's own
/// files are graded. Call it under a BuildLock.
/// @throws as check_part
[[nodiscard]] PartResult grade(const Folders& folders, const Request& request, int part);

/// The learner's part, graded under a lock of its own; quick for a file that is still the empty exercise.
/// @throws as check_part
[[nodiscard]] PartResult grade_own(const Folders& folders, int part);

/// A part's exercise.cpp.
[[nodiscard]] std::filesystem::path exercise_of(const Folders& folders, int part);

/// The same as messages call it: "part1_mha/exercise.cpp".
[[nodiscard]] std::string exercise_name(const Folders& folders, int part);

/// The empty exercise of a part.
[[nodiscard]] std::string skeleton_of(const Folders& folders, int part);

/// Whether a part's exercise.cpp is still the empty one.
[[nodiscard]] bool is_untouched(const Folders& folders, int part);

/// The titles of a part's steps by their numbers.
[[nodiscard]] std::map<std::string, std::string> titles_of(const Folders& folders, int part);

}  // namespace workbook::grader
