/// @file
/// Grades a part whenever its file is saved.
#pragma once

#include "check.hpp"

namespace workbook::grader {

/// Shows the first step that does not pass and grades anew whenever the contents of the file change, until q or a
/// signal. The contents are read again and again, because network folders and WSL report no changes.
/// @return the exit code
/// @throws WrongUse when standard input and output are no terminal
int watch(const Folders& folders, int part);

}  // namespace workbook::grader
