/// @file
/// The matcher of graded tests: a wrong answer is compared with what every known mistake gives on the same input.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "reference/mistakes/evidence.hpp"
#include "reference/mistakes/models/cached_calls.hpp"
#include "tests/support/close.hpp"

namespace workbook::grading {

using mistakes::as_array;
using mistakes::CachedCalls;
using mistakes::layer_of;
using mistakes::model_of;
using mistakes::state_of;
using mistakes::Values;
using mistakes::values_of;

/// What the running test asks its answers; set before it starts.
struct Inquiry {
    bool has_questions = false;         ///< whether they are asked about suspects, and for no new ones
    bool searches_pairs = false;        ///< whether pairs of mistakes are looked for
    std::vector<std::string> suspects;  ///< that they are asked about, or that are known when pairs are looked for
};

[[nodiscard]] Inquiry& inquiry();

/// The evidence of the running test.
[[nodiscard]] mistakes::Evidence& evidence();

/// Weighs an answer, right or wrong, for the running test.
void weigh(bool right, const Values& actual, const Values& expected, const mistakes::Model& model);

/// How many answers were weighed so far.
[[nodiscard]] int compared_answers();

/// For EXPECT_PRED_FORMAT3 by way of EXPECT_ANSWER.
[[nodiscard]] ::testing::AssertionResult right_answer(const std::string& formula, const Values& actual,
                                                      const Values& expected, const mistakes::Model& model);

template <class Actual, class Expected, class Answer>
[[nodiscard]] ::testing::AssertionResult right(const char* formula, const char* /*expected_text*/,
                                               const char* /*model_text*/, const Actual& actual,
                                               const Expected& expected, const Answer& answer) {
    return right_answer(formula, values_of(actual), values_of(expected), model_of(answer));
}

/// For EXPECT_PRED_FORMAT3 by way of EXPECT_NUMBER: whole numbers have to be equal, others up to the last digits.
template <class Number, class Expected, class Answer>
[[nodiscard]] ::testing::AssertionResult right_number(const char* formula, const char* /*expected_text*/,
                                                      const char* /*model_text*/, Number actual, Expected literal,
                                                      const Answer& answer) {
    const auto expected = static_cast<Number>(literal);
    const auto wrap = [](double number) { return Values{{1}, {number}}; };
    const double difference = std::abs(static_cast<double>(actual) - static_cast<double>(expected));
    const bool right = std::is_integral_v<Number> ? actual == expected : difference <= 1e-12;
    weigh(right, wrap(static_cast<double>(actual)), wrap(static_cast<double>(expected)),
          [&](const mistakes::Decisions& decisions) { return wrap(answer(decisions)); });
    if (right) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << formula << "\n  expected " << expected << "\n  got      " << actual;
}

/// Makes a call that the capacity allows. When it is refused all the same, the refusal is weighed and goes on its way.
/// @param answer  the function of mistakes::Decisions that the call is compared with
template <class Call, class Answer>
decltype(auto) fitting(const Call& call, const Answer& answer) {
    try {
        return call();
    } catch (const std::length_error&) {
        evidence().weigh_refusal([&](const mistakes::Decisions& decisions) { (void)answer(decisions); });
        throw;
    }
}

/// Names the mistake that a failed check shows for certain, by other means than values.
void blame(const std::string& mistake);

/// Whether to compare the model without a mistake with every expected answer; a difference fails the test.
[[nodiscard]] bool& auditing_models();

}  // namespace workbook::grading

/// `actual` has the shape and, up to rounding, the values of `expected`. The last argument is a function of
/// mistakes::Decisions that gives what an implementation with these decisions answers; a wrong answer is looked for
/// among the mistakes.
#define EXPECT_ANSWER(actual, expected, ...) \
    EXPECT_PRED_FORMAT3(::workbook::grading::right, actual, expected, (__VA_ARGS__))
#define ASSERT_ANSWER(actual, expected, ...) \
    ASSERT_PRED_FORMAT3(::workbook::grading::right, actual, expected, (__VA_ARGS__))

/// The same for a number.
#define EXPECT_NUMBER(actual, expected, ...) \
    EXPECT_PRED_FORMAT3(::workbook::grading::right_number, actual, expected, (__VA_ARGS__))
