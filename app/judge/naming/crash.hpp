/// @file
/// What the source of a step that crashes says about why: a crash leaves no answer to compare.
#pragma once

#include <string>

#include "app/build/graded_files.hpp"
#include "app/results/results.hpp"

namespace workbook::app {

/// A reduction that xtensor has not computed yet and that a larger expression uses: `xt::amax(x, {1}, xt::keep_dims)`,
/// or one that is kept as `auto`.
/// @param name  what messages call the file
/// @return its place and the line; nothing when there is none
[[nodiscard]] Found lazy_reduction_in(const std::string& text, const std::string& name, const std::string& step);

/// Adds the mistake `lazy_reduction` to the findings of steps in which a test crashes and that have such a reduction.
void explain_crashes(const GradedFiles& files, PartResult& result);

}  // namespace workbook::app
