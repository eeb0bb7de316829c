/// @file
/// All pictures of the pages. Each is drawn from what the code of the workbook computes.
#pragma once

#include <optional>
#include <vector>

#include "docs/figures/svg.hpp"
#include "reference/mistakes/catalogue.hpp"

namespace workbook::figures {

/// Masks of a prompt, a single token and a chunk, right and with a mistake; ragged rows; the rows of a group.
[[nodiscard]] std::vector<Svg> mask_figures();

/// Which element goes where when heads are split and merged; which key/value head a query head reads.
[[nodiscard]] std::vector<Svg> head_figures();

/// What the cache holds before and after calls.
[[nodiscard]] std::vector<Svg> cache_figures();

/// Measured times, from the files that measure_costs, measure_story and ./workbook bench wrote into a folder.
/// @throws std::runtime_error when one of them cannot be read
[[nodiscard]] std::vector<Svg> plot_figures(const std::string& folder);

/// What a mistake amounts to beside what is right, when there is something to see.
[[nodiscard]] std::optional<Svg> mistake_figure(const mistakes::Mistake& mistake);

}  // namespace workbook::figures
