/// @file
/// Builds programs from learners' files of which some steps do not compile.
#pragma once

#include <string>
#include <vector>

#include "app/build/build.hpp"
#include "app/build/graded_files.hpp"
#include "app/results/results.hpp"

namespace workbook::app {

/// A build without the steps that do not compile.
struct PartialBuild {
    BuildResult built;
    std::vector<UncompiledStep> uncompiled;  ///< what is not in the programs
};

/// Takes out of the learner's files, as the build sees them, step after step in which the compiler finds errors, until
/// what is left builds. The files themselves stay as they are.
/// @param failed  the build of the whole files
/// @return a build that has not succeeded when errors are outside of steps, or after a handful of attempts
[[nodiscard]] PartialBuild build_without_broken_steps(const Project& project, const GradedFiles& files,
                                                      const std::vector<std::string>& targets,
                                                      const BuildResult& failed);

}  // namespace workbook::app
