/// @file
/// The two halves of a layer around attention, for calls with and without a cache.
#pragma once

#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

/// Queries, keys and values of x on top of `past` tokens in each row; no past for an uncached call.
[[nodiscard]] reference::Heads project(const Layer& layer, const Array<3>& x, const Positions& positions,
                                       const Lengths& past, const Decisions& decisions);

/// From the mixed values of every head, [B, H, T, d], to the output of the layer, [B, T, D]; x is its input.
[[nodiscard]] Array<3> finished(const Layer& layer, const Array<3>& x, const Array<4>& mixed,
                                const Decisions& decisions);

}  // namespace workbook::mistakes
