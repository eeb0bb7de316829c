/// @file
/// Mistakes that people make, each with what it computes. The documents in this folder describe them (documents.hpp);
/// the build makes the catalogue from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/mistakes/models/decisions/decisions.hpp"

namespace workbook::mistakes {

/// One decision, taken in one way.
struct Choice {
    std::string_view decision;  ///< a member of Decisions: "hidden_score"
    std::string_view choice;    ///< one of its enumerators, or a number: "finite"
    void (*take)(Decisions&);
};

/// A way to make a mistake.
struct Way {
    Decisions decisions;
    std::vector<const Choice*> wrong;  ///< the choices that are not right
};

/// One mistake.
struct Mistake {
    std::string id;         ///< stable: "scale_missing"
    std::string step;       ///< where it is usually made: "1.3"
    std::string title;      ///< in plain words: "the scores are not scaled"
    std::string mechanism;  ///< what happens, as sentences
    std::string hides;      ///< the situations in which it gives the right answer
    std::string look;       ///< how to look for it
    /// The ways to make it, each with what it may compute. There are none when outputs cannot show the mistake and a
    /// test sees it by other means, such as the bytes that a call allocates. The first is the mistake by itself; the
    /// others are variants, such as the same mistake in code that lacks a guard.
    std::vector<Way> ways;
};

/// All mistakes, in the order of their steps.
[[nodiscard]] const std::vector<Mistake>& catalogue();

/// @throws std::out_of_range when there is no such mistake
[[nodiscard]] const Mistake& find(std::string_view id);

}  // namespace workbook::mistakes
