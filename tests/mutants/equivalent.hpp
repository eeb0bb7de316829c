/// @file
/// The list of mutants that are excused, each with the reason why.
///
/// A line `## answer step function` says what is listed below it. Then come reasons, and below each reason the mutants
/// that it holds for: `-` the line that is changed and `+` what it becomes, or `+` alone for a line that is added.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/mutants/making/mutant.hpp"

namespace workbook::mutants {

/// A list that does not have the form above; the message starts with the line number.
class ListError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A mutant that is listed.
struct Equivalent {
    std::string function;  ///< "part1_mha/solution.cpp 1.3 attend_head"
    std::string lines;     ///< as Mutant::lines has them
    std::string reason;

    [[nodiscard]] bool is(const Mutant& mutant) const {
        return function == mutant.name_of_function() && lines == mutant.lines();
    }
};

/// Reads the list.
/// @throws ListError
[[nodiscard]] std::vector<Equivalent> parse_equivalents(const std::string& text);

}  // namespace workbook::mutants
