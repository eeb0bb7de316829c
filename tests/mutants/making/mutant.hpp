/// @file
/// Mutants: an answer with one small change in one function.
#pragma once

#include <string>
#include <vector>

#include "tests/mutants/making/function.hpp"

namespace workbook::mutants {

/// A function with one change.
struct Mutant {
    std::string base;       ///< the answer that it is made of, relative to the project: "part1_mha/solution.cpp"
    std::string step;       ///< "1.3"
    std::string function;   ///< "attend_head"
    std::string operation;  ///< "relation"
    std::string before;     ///< the line that it changes; empty when it only adds one
    std::string after;      ///< what it is then
    int occurrence = 1;     ///< 2 for the second one of this function that reads like this, and so on
    std::string body;       ///< of the function, changed

    [[nodiscard]] std::string name_of_function() const { return base + " " + step + " " + function; }
    /// "-line before\n+line after\n", the lines that the list of equivalent mutants has.
    [[nodiscard]] std::string lines() const;
};

/// All mutants of a function.
[[nodiscard]] std::vector<Mutant> mutants_of(const std::string& base, const std::string& answer,
                                             const Function& function);

/// All mutants of a step's functions, and of the helpers below its heading.
/// @param operations  those to apply; all when empty
[[nodiscard]] std::vector<Mutant> mutants_of(const std::string& base, const std::string& answer,
                                             const std::string& step, const std::vector<std::string>& operations = {});

/// One text with all of the given mutants, of which a program picks one when it runs: the functions that they change
/// have a body for each. So the compiler is needed once.
/// @param numbers  what the program calls each of the mutants, from 1
[[nodiscard]] std::string text_with(const std::string& answer, const std::string& step,
                                    const std::vector<Mutant>& mutants, const std::vector<int>& numbers);

/// The numbers of the mutants that a compiler's log has errors about.
[[nodiscard]] std::vector<int> broken_in(const std::string& log);

}  // namespace workbook::mutants
