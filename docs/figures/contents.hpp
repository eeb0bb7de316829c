/// @file
/// Pictures of a mistake in what a tensor or a cache holds, beside what it should hold.
#pragma once

#include <optional>

#include "catalogue.hpp"
#include "svg.hpp"

namespace workbook::figures {

/// Heads that are split or merged wrongly.
[[nodiscard]] std::optional<Svg> layout_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions);

/// A cache that holds something else after appends, or after a reset.
[[nodiscard]] std::optional<Svg> append_figure(const mistakes::Mistake& mistake, const mistakes::Decisions& decisions);

/// An empty picture with the name and the texts of a mistake's figure.
[[nodiscard]] Svg picture_of(const mistakes::Mistake& mistake, const std::string& what);

}  // namespace workbook::figures
