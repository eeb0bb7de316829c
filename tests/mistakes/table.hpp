/// @file
/// How wrong solutions did: which tests they fail, and whether their mistake was named.
#pragma once

#include <string>
#include <vector>

#include "app/show/report.hpp"
#include "tests/mistakes/batch.hpp"

namespace workbook::edits {

/// What the grader said of a wrong solution.
enum class Naming {
    right,   ///< the mistake, and nothing else for the same tests
    listed,  ///< the mistake beside others
    wrong,   ///< other mistakes only
    nothing,
};

/// A wrong solution, graded.
struct Grade {
    std::string name;                 ///< of the edit
    std::string mistake;              ///< which it makes
    std::vector<std::string> failed;  ///< sentences of the tests it fails
    std::vector<std::string> named;   ///< mistakes that the grader named
    Naming naming = Naming::nothing;
    bool built = true;
    bool firm = true;  ///< whether no answer speaks against what was named
};

/// Reads a wrong solution's grade off the result of the part; other steps may have other mistakes.
[[nodiscard]] Grade graded(const WrongSolution& wrong, const app::PartResult& result);

/// Whether it fails and is named.
[[nodiscard]] bool is_satisfying(const Grade& grade);

/// One line: the edit, how many tests it fails, what was named.
[[nodiscard]] std::string line_of(const Grade& grade);

/// How many fail, how many are named.
[[nodiscard]] std::string summary_of(const std::vector<Grade>& grades);

}  // namespace workbook::edits
