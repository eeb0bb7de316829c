/// @file
/// What ./workbook watch shows.
#pragma once

#include <string>
#include <vector>

#include "app/show/report.hpp"

namespace workbook::app {

/// Everything on the screen of a watched part.
struct View {
    PartResult part;                ///< the latest result; without steps when it did not build or is still to come
    std::vector<StepResult> steps;  ///< of the latest result that had some
    std::string focus;              ///< the step that is shown; empty before the first result with steps
    std::string hint;               ///< shown under the step
    std::string next_part;          ///< what to begin when all of it passes; empty when there is none
    bool lists_steps = false;       ///< a list of all steps in place of the one
    std::string status;             ///< what is going on
};

/// The first step, from the one behind `focus` round to the one before it, that does not pass; empty without one.
[[nodiscard]] std::string next_open(const std::vector<StepResult>& steps, const std::string& focus);

/// The screen's lines: no more and no longer than fit, one row left free at the bottom. What does not fit is cut from
/// the failure first, then from the hint.
[[nodiscard]] std::vector<std::string> screen_of(const View& view, const Size& size, const Style& style);

}  // namespace workbook::app
