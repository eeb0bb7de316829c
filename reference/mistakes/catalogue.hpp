/// @file
/// Mistakes that people make in parts 1 to 3, each with what it computes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/mistakes/models/decisions.hpp"

namespace workbook::mistakes {

/// Takes one or more decisions wrongly.
using Change = std::function<void(Decisions&)>;

/// One mistake.
struct Mistake {
    std::string id;         ///< stable: "scale_missing"
    std::string step;       ///< where it is usually made: "1.3"
    std::string title;      ///< in plain words: "the scores are not scaled"
    std::string mechanism;  ///< what happens, a sentence
    std::string hides;      ///< the situations in which it gives the right answer
    std::string look;       ///< how to look for it
    /// What it may compute, one change for each way to make it; none when outputs cannot show it, and a test sees it by
    /// other means, such as the bytes that a call allocates.
    std::vector<Change> models;
};

/// All mistakes, in the order of their steps.
[[nodiscard]] const std::vector<Mistake>& catalogue();

/// @throws std::out_of_range when there is no such mistake
[[nodiscard]] const Mistake& find(std::string_view id);

/// Takes one decision.
template <class Choice>
[[nodiscard]] Change choose(Choice Decisions::*decision, Choice choice) {
    return [=](Decisions& decisions) { decisions.*decision = choice; };
}

/// Takes two decisions.
[[nodiscard]] Change both(Change first, Change second);

/// @name The entries by part
/// @{
[[nodiscard]] std::vector<Mistake> part1_mistakes();
[[nodiscard]] std::vector<Mistake> part2_mistakes();
[[nodiscard]] std::vector<Mistake> part3_mistakes();
/// @}

}  // namespace workbook::mistakes
