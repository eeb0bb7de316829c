/// @file
/// Functions that tests needed and that a learner's file does not define.
#pragma once

#include "app/build/graded_files.hpp"
#include "app/results/results.hpp"

namespace workbook::app {

/// Says of each step whether it compiles and which of its functions are not defined, and of each test that was not
/// attempted whether what it needs does not compile.
/// @param result  with the steps that were left out, and the tests' results
void explain_missing(const Project& project, const GradedFiles& files, PartResult& result);

/// What in a file comes close to a function that it does not define: one of the same name, of a name that differs in a
/// letter or two, or with the same parameters.
/// @param name  how messages call the file
[[nodiscard]] Found resembling(const std::string& text, const std::string& name, const std::string& function,
                               const std::string& signature);

}  // namespace workbook::app
