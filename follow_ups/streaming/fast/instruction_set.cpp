#include "follow_ups/streaming/fast/instruction_set.hpp"

namespace workbook {

InstructionSet widest_instruction_set() {
#ifdef WORKBOOK_X86_LEVELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return InstructionSet::avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return InstructionSet::avx2;
    }
#endif
    return InstructionSet::baseline;
}

}  // namespace workbook
