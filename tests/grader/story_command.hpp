/// @file
/// ./workbook story: a published model tells a story with the learner's attention.
#pragma once

#include <string>
#include <vector>

#include "check.hpp"
#include "options.hpp"

namespace workbook::grader {

/// Builds the program with the attention that is asked for, and runs it.
/// @param words  the command line behind "story", which the program reads for itself
/// @throws WrongUse when there is no model
int story(const Folders& folders, const story::Options& options, const std::vector<std::string>& words);

}  // namespace workbook::grader
