/// @file
/// What a learner does after a check.
#pragma once

#include <string>
#include <vector>

#include "app/build/graded_files.hpp"
#include "app/results/results.hpp"

namespace workbook::app {

/// What the learner does next.
struct NextStep {
    std::string sentence;  ///< "Next: fix step 1.3 (one head) in part1_mha/exercise.cpp", without a full stop
    std::string step;      ///< the step that hints would help with; empty when none would
};

/// What follows from these results; empty when everything passes.
[[nodiscard]] NextStep next_step(const Project& project, const Request& request, const std::vector<PartResult>& parts);

}  // namespace workbook::app
