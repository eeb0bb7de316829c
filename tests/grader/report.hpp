/// @file
/// What the grader prints.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "verdict.hpp"

namespace workbook::grader {

/// A part, graded.
struct PartResult {
    int part = 1;
    std::string title;        ///< "causal multi-head attention"
    std::string graded_from;  ///< which file the graded part came from
    std::string others_from;  ///< what it was linked with
    /// Why there are no steps: "does not build", "builds, but does not start" or "is not graded"; mostly empty.
    std::string obstacle;
    std::string build_errors;  ///< what the obstacle is in detail
    std::string to_mend;       ///< the file that the build errors are about
    std::string warnings;      ///< the compiler's warnings about the file
    std::vector<StepResult> steps;

    [[nodiscard]] bool passed() const;
};

/// Breaks text at spaces into lines of at most 80 columns, each behind `indent`.
[[nodiscard]] std::string wrapped(const std::string& text, const std::string& indent);

/// Prints which files a part was graded from, its steps, failures, points and verdict.
void print(std::ostream& out, const PartResult& part);

}  // namespace workbook::grader
