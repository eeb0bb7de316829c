/// @file
/// Builds what is to be graded, runs its tests and finds out what is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/build/graded_files.hpp"
#include "app/results/results.hpp"

namespace workbook::app {

/// What to do with a learner's file of which some steps do not compile.
enum class BrokenSteps { refused, left_out };

/// Builds programs that have the graded files in them.
/// @param targets  of the build
/// @return the part without steps; with an obstacle when they do not build or a file is not its author's own
/// @throws as check_part
[[nodiscard]] PartResult build_programs(const Project& project, const GradedFiles& files,
                                        const std::vector<std::string>& targets,
                                        BrokenSteps broken = BrokenSteps::refused);

/// Builds and runs the tests of one part.
/// @throws MissingFile
/// @throws UnusableFile
/// @throws std::runtime_error when something other than the graded file does not build
[[nodiscard]] PartResult check_part(const Project& project, const Request& request, const Part& part);

}  // namespace workbook::app
