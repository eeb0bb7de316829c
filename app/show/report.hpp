/// @file
/// What the grader prints.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/base/system/terminal.hpp"
#include "app/judge/verdict.hpp"

namespace workbook::app {

/// " 83/100", in seven columns.
[[nodiscard]] std::string points_text(const PartResult& part);

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

/// The mistakes that were named in a step, each with what it does and how to fix it.
[[nodiscard]] std::string findings_text(const StepResult& step, const Style& style, const std::string& indent);

/// What a step that does not compile is about: the compiler's messages; and functions of a step that the file does not
/// define, with what the tests call and what the file has instead. Empty for other steps.
[[nodiscard]] std::string uncompiled_text(const PartResult& part, const std::string& step, const Style& style,
                                          const std::string& indent);
[[nodiscard]] std::string undefined_text(const StepResult& step, const Style& style, const std::string& indent);

/// A failing test as text.
[[nodiscard]] std::string failure_text(const TestResult& result, const Style& style, const FailureForm& form);

/// Prints which files a part was graded from, its steps, failures, points and verdict.
/// @param verbose  the messages of all failing tests, not only of each step's first; all that the compiler said
void print(std::ostream& out, const PartResult& part, const Style& style, bool verbose);

}  // namespace workbook::app
