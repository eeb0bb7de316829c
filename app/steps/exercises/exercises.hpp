/// @file
/// Learners' files: made from their skeletons, and brought up to date when a new version changes those.
///
/// exercise.cpp is not in git. Beside each, .workbook/skeletons keeps the skeleton that it began as, which tells what
/// in it is the learner's.
#pragma once

#include <string>
#include <vector>

#include "app/steps/project.hpp"

namespace workbook::app {

/// Notes that a part's exercise.cpp has the present skeleton; call it after writing that.
void note_skeleton(const Project& project, const Part& part);

/// Makes the exercises that are not there. A file that is there, or that comes at the same moment, is left alone.
/// @return the names of those it made
std::vector<std::string> make_missing_exercises(const Project& project);

/// Makes missing exercises, and puts the present skeleton in place of an earlier one that nobody has written in, which
/// is kept as a backup.
/// @return a line for each that was replaced, or made a second time
std::vector<std::string> refresh_exercises(const Project& project);

/// Whether something was written in a part's exercise.cpp, and its skeleton has changed since.
[[nodiscard]] bool is_outdated(const Project& project, const Part& part);

/// Brings all exercises up to date and keeps what was written in them. A file that changes is kept as a backup. Files
/// of versions that had them in git are found in its history.
/// @return what was done, a paragraph for each file
std::vector<std::string> update_exercises(const Project& project);

}  // namespace workbook::app
