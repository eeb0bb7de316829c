/// @file
/// Which of the instruction sets that vector code is compiled for this processor has.
#pragma once

namespace workbook {

/// The baseline is what every processor of its kind has: SSE2 on x86-64, NEON on Arm.
enum class InstructionSet { baseline, avx2, avx512 };

/// The widest that this processor has.
[[nodiscard]] InstructionSet widest_instruction_set();

}  // namespace workbook
