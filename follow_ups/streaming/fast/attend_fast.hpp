/// @file
/// Streaming attention as fast as the processor allows: the worked answer is written to be read, this one to be
/// measured.
#pragma once

#include "part1_mha/attention.hpp"

namespace workbook::streaming {

/// The result of attend, with vector code for the instruction set of this processor, in blocks of queries that go
/// through the keys together, on as many threads as in_parallel uses.
/// @param q          [B, H, T, d]
/// @param kv         [B, Hkv, ·, d]
/// @param positions  [B, T]
/// @return           [B, H, T, d]
/// @throws std::invalid_argument when the shapes do not fit together
[[nodiscard]] Tensor<4> attend_fast(const Tensor<4>& q, const KeyValues& kv, const Positions& positions);

}  // namespace workbook::streaming
