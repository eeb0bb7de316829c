/// @file
/// Wrong solutions that are built and graded at once.
///
/// A step is graded on the worked steps before it, so that mistakes in different steps of a file know nothing of each
/// other. Most of the time goes into the compiler; together they need it once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/mistakes/edit.hpp"

namespace workbook::edits {

/// An edit and what it belongs to.
struct WrongSolution {
    std::string name;  ///< "scale_missing-twice": the mistake scale_missing, made in a second way
    Edit edit;
    std::set<std::string> steps;  ///< "1.3": where it changes something; empty when any step may use what it changes

    /// The mistake that it makes.
    [[nodiscard]] std::string mistake() const;
};

/// The steps of a solution below whose headings the edit changes something. Empty when it changes what stands above the
/// first of them.
/// @throws EditError unless each of the lines to be replaced occurs exactly once
[[nodiscard]] std::set<std::string> steps_of(const Edit& edit, const std::string& solution);

/// The steps that the wrong solutions of a batch change; empty when any step may use what they change.
[[nodiscard]] std::vector<std::string> steps_of(const std::vector<WrongSolution>& batch);

/// A solution with all edits of a batch. Steps that none of them changes are left out: nothing is graded on them, and
/// they cost the compiler's time.
/// @param solution  the text of the file that the edits are made of
[[nodiscard]] std::string text_of(const std::vector<WrongSolution>& batch, std::string solution);

/// Puts wrong solutions together that are made of the same solution and differ in their steps.
[[nodiscard]] std::vector<std::vector<WrongSolution>> batches_of(const std::vector<WrongSolution>& all);

}  // namespace workbook::edits
