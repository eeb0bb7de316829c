/// @file
/// What the grader and the graded programs agree on.
#pragma once

namespace workbook::grading {

/// The option with which the grader starts a program to run one test: it reads a token from its standard input, and
/// prints nothing but what the tested code prints.
inline constexpr const char* graded_option = "--graded";

/// The option that lists the tests as JSON and runs none.
inline constexpr const char* list_option = "--list-graded";

/// The property of a test's report that repeats the token. A report without it was not made by the test.
inline constexpr const char* token_property = "token";

/// The exit code of a program that has used up its stack.
inline constexpr int stack_used_up = 78;

}  // namespace workbook::grading
