/// @file
/// What the grader prints.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "terminal.hpp"
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
    std::string build_log;     ///< when it does not build: everything the build printed
    std::string to_mend;       ///< the file that the build errors are about
    std::string warnings;      ///< the compiler's warnings about the file
    std::vector<StepResult> steps;

    [[nodiscard]] bool passed() const;
    /// @name Without the bonus
    /// @{
    [[nodiscard]] int points() const;
    [[nodiscard]] int max_points() const;
    [[nodiscard]] int steps_passed() const;
    [[nodiscard]] int n_steps() const;
    /// @}
    [[nodiscard]] int bonus_points() const;
    [[nodiscard]] int max_bonus_points() const;
};

/// Breaks text at spaces into lines of at most 80 columns, each behind `indent`. Escape sequences take no room.
[[nodiscard]] std::string wrapped(const std::string& text, const std::string& indent);

/// Puts `indent` before each line and breaks lines of prose that are too long; code and columns stay as they are.
[[nodiscard]] std::string indented(const std::string& text, const std::string& indent);

/// "not attempted" or "4 of 9 tests".
[[nodiscard]] std::string state_of(const StepResult& step);

/// ✓ passed, ✗ begun, · not attempted, in colour if there is any.
[[nodiscard]] std::string symbol_of(const StepResult& step, const Style& style);

/// The rating in its colour: "strong hire".
[[nodiscard]] std::string painted_rating(const Verdict& verdict, const Style& style);

/// How much of a failing test is printed, and where its lines begin.
struct FailureForm {
    std::string indent;
    bool with_message = true;
    bool whole = false;  ///< every message and all that was printed, however long
};

/// The mistakes that were named in a step, each with what it does and how to mend it.
[[nodiscard]] std::string findings_text(const StepResult& step, const Style& style, const std::string& indent);

/// A failing test as text.
[[nodiscard]] std::string failure_text(const TestResult& result, const Style& style, const FailureForm& form);

/// Prints which files a part was graded from, its steps, failures, points and verdict.
/// @param verbose  the messages of all failing tests, not only of each step's first; all that the compiler said
void print(std::ostream& out, const PartResult& part, const Style& style, bool verbose);

}  // namespace workbook::grader
