/// @file
/// Step streaming.1 with a mistake in its pass over the keys.
#pragma once

#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

/// q [B, H, T, d], positions [B, T]; gives [B, H, T, d]. Of the decisions, only streaming and tile matter.
[[nodiscard]] Array<4> stream(const Array<4>& q, const KeyRows& rows, const Positions& positions,
                              const Decisions& decisions);

}  // namespace workbook::mistakes
