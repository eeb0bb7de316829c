/// @file
/// What the grader and the graded programs agree on.
#pragma once

namespace workbook::grading {

/// The option with which the grader starts a program to run one test: it reads a token from its standard input, and
/// prints nothing but what the tested code prints.
inline constexpr const char* graded_option = "--graded";

/// In front of that option: suspects, separated by commas, that every answer is compared with; or mistakes that are
/// known already, when pairs of them are looked for.
inline constexpr const char* question_option = "--question=";
inline constexpr const char* pairs_option = "--pairs=";

/// The option that lists the tests as JSON and runs none.
inline constexpr const char* list_option = "--list-graded";

/// The property of a test's report that repeats the token. A report without it was not made by the test.
inline constexpr const char* token_property = "token";

/// Properties of a test's report: suspects that give all its wrong answers, those that would have given another answer
/// than a right one or than a wrong one, and whether nothing gives all wrong ones.
inline constexpr const char* suspects_property = "suspects";
inline constexpr const char* refuted_property = "refuted";
inline constexpr const char* contrary_property = "contrary";
inline constexpr const char* unexplained_property = "unexplained";

/// When not attempted: the step and function that is missing, and whether it is not defined at all rather than empty.
inline constexpr const char* missing_property = "not_attempted";
inline constexpr const char* undefined_property = "not_defined";

/// How many answers the test has compared.
inline constexpr const char* compared_property = "compared";

/// The exit code of a program that has used up its stack.
inline constexpr int stack_used_up = 78;

}  // namespace workbook::grading
