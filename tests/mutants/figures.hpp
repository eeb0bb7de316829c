/// @file
/// How mutants did, and the page that says so.
#pragma once

#include <string>
#include <vector>

#include "tests/mutants/making/mutant.hpp"

namespace workbook::mutants {

/// What became of a mutant.
enum class Fate { killed, uncompiled, equivalent, survived };

/// A mutant, graded.
struct Graded {
    Mutant mutant;
    Fate fate = Fate::killed;
    std::vector<std::string> named{};  ///< mistakes that the grader named firmly
    bool out_of_time = false;          ///< killed because a test ran out of time
    std::string reason{};              ///< of an equivalent one, as listed

    /// One line: what it changes and what became of it.
    [[nodiscard]] std::string line() const;
};

/// The page of figures, by step and by operator.
[[nodiscard]] std::string page_of(const std::vector<Graded>& all);

/// "120 mutants: 100 fail, 15 do not compile, 5 are excused, 0 survive."
[[nodiscard]] std::string summary_of(const std::vector<Graded>& all);

}  // namespace workbook::mutants
