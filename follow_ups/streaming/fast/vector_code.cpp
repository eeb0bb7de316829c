// Chooses among the instruction sets that vector_code_level.cpp was compiled for.
#include "follow_ups/streaming/fast/vector_code.hpp"

namespace workbook {

namespace baseline {
extern const VectorCode code;
}
#ifdef WORKBOOK_X86_LEVELS
namespace avx2 {
extern const VectorCode code;
}
namespace avx512 {
extern const VectorCode code;
}
#endif

const VectorCode& vector_code(InstructionSet set) {
    switch (set) {
#ifdef WORKBOOK_X86_LEVELS
        case InstructionSet::avx512: return avx512::code;
        case InstructionSet::avx2: return avx2::code;
#endif
        default: return baseline::code;
    }
}

}  // namespace workbook
