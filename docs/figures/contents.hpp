/// @file
/// Pictures of a mistake in what a tensor or a cache holds, beside what it should hold.
#pragma once

#include <optional>
#include <stdexcept>

#include "docs/figures/svg.hpp"
#include "reference/mistakes/catalogue.hpp"

namespace workbook::figures {

/// What `run` gives, or nothing when the model of a mistake refuses the call, as its code would: with std::length_error
/// or std::invalid_argument.
template <class Run>
auto if_not_refused(const Run& run) -> std::optional<decltype(run())> {
    try {
        return run();
    } catch (const std::logic_error&) {
        return std::nullopt;
    }
}

/// Heads that are split or merged wrongly.
[[nodiscard]] std::optional<Svg> layout_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions);

/// A cache that holds something else after appends, or after a reset.
[[nodiscard]] std::optional<Svg> append_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions);

/// An empty picture with the name and the texts of a mistake's figure.
[[nodiscard]] Svg picture_of(const mistakes::Mistake& mistake, const std::string& what);

}  // namespace workbook::figures
