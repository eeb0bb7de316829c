/// @file
/// How a graded test is written: a sentence, with the step it belongs to, its level and its points.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/results/results.hpp"

namespace workbook::grading {

/// All graded tests of this program, in the order in which the files register them.
[[nodiscard]] std::vector<app::GradedTest>& graded_tests();

/// Adds a test to graded_tests(); the return value only serves to run this before main.
bool register_graded(const app::GradedTest& test);

/// Runs the body of the graded test at file:line. A step that is not implemented skips the test, any other exception
/// fails it.
void run_graded(void (*body)(), const char* file, int line);

/// How many tests of this run met a step that is not implemented.
[[nodiscard]] int not_attempted_count();

/// Leaves a remark for the grader to show, whether the test passes or not.
void remark(const std::string& text);

}  // namespace workbook::grading

#define GRADED_TEXT_OF_ARGUMENT(argument) #argument
#define GRADED_TEXT_OF(macro) GRADED_TEXT_OF_ARGUMENT(macro)

/// A graded test. `step` and `points` are plain literals, `level` is hire or strong_hire.
#define GRADED_TEST(suite, name, step, level, points)                                                         \
    static void suite##_##name##_body();                                                                      \
    static const bool suite##_##name##_registered = ::workbook::grading::register_graded(                     \
        {#suite, #name, step, ::workbook::app::Level::level, points, __FILE__ ":" GRADED_TEXT_OF(__LINE__)}); \
    TEST(suite, name) {                                                                                       \
        static_cast<void>(suite##_##name##_registered);                                                       \
        ::workbook::grading::run_graded(&suite##_##name##_body, __FILE__, __LINE__);                          \
    }                                                                                                         \
    static void suite##_##name##_body()
