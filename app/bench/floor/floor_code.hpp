/// @file
/// The fastest that this machine reads memory and multiplies, measured by the simplest loops that reach it.
#pragma once

#include <cstddef>

#include "part1_mha/scalar.hpp"

namespace workbook::bench {

/// Loops of one instruction set. Both return a number that depends on all they did, so that nothing is optimised away.
struct FloorCode {
    /// Reads `count` numbers once, in order.
    Scalar (*read)(const Scalar* data, std::size_t count);
    /// Does `count` multiply-adds, on numbers in registers.
    Scalar (*multiply_adds)(std::size_t count);
};

/// Those for the widest instruction set of this processor.
[[nodiscard]] const FloorCode& floor_code();

}  // namespace workbook::bench
