/// @file
/// Which instruction sets this processor has, of those that the vector code is compiled for.
#pragma once

namespace workbook {

/// The baseline is what every processor of its architecture has: SSE2 on x86-64, NEON on Arm.
enum class InstructionSet { baseline, avx2, avx512 };

/// The widest one that this processor has.
[[nodiscard]] InstructionSet widest_instruction_set();

}  // namespace workbook
