/// @file
/// From test results to points and a verdict.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "suite.hpp"

namespace workbook::grader {

/// A finding: the mistakes of the catalogue that give the wrong answers of some tests.
struct Finding {
    std::vector<std::string> mistakes;  ///< ids; several when no answer so far tells them apart
    std::vector<std::string> tests;     ///< sentences of the tests it explains
    bool contradicted = false;          ///< whether some right answer speaks against every one of the mistakes
};

/// The results of one step, in order.
struct StepResult {
    std::string step;   ///< "1.3"
    std::string title;  ///< "one head"
    std::vector<TestResult> tests;
    std::vector<Finding> findings{};  ///< what explains the failed ones

    [[nodiscard]] int count(Outcome outcome) const;
    [[nodiscard]] int points() const;      ///< of the passed tests
    [[nodiscard]] int max_points() const;  ///< of all tests
    [[nodiscard]] bool attempted() const;  ///< some test got as far as the learner's code
    [[nodiscard]] bool passed() const;     ///< nothing failed, nothing is missing
    [[nodiscard]] bool is_bonus() const;   ///< no verdict needs any of its tests
    [[nodiscard]] bool done() const;       ///< passed, or a bonus that is not attempted
};

/// Puts results, in their order, under the steps they belong to.
/// @param titles  every step's title by its number
[[nodiscard]] std::vector<StepResult> by_step(const std::vector<TestResult>& results,
                                              const std::map<std::string, std::string>& titles);

/// What an interviewer would say of a part.
enum class Rating { not_attempted, unfinished, weak, hire, strong_hire };

/// A rating with its reason, a sentence or two.
struct Verdict {
    Rating rating = Rating::not_attempted;
    std::string reason;
};

/// "strong hire", "not attempted" and so on.
[[nodiscard]] std::string rating_text(Rating rating);

/// Weak: a test needed for hire fails. Hire: all of those pass. Strong hire: everything but the bonus passes.
/// While steps that hire needs are missing and nothing failed, the part is unfinished.
[[nodiscard]] Verdict verdict_of(const std::vector<StepResult>& steps);

}  // namespace workbook::grader
