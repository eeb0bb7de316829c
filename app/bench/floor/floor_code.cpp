#include "app/bench/floor/floor_code.hpp"

#include "follow_ups/streaming/fast/instruction_set.hpp"

namespace workbook::bench {

namespace baseline {
extern const FloorCode code;
}
#ifdef WORKBOOK_X86_LEVELS
namespace avx2 {
extern const FloorCode code;
}
namespace avx512 {
extern const FloorCode code;
}
#endif

const FloorCode& floor_code() {
    switch (widest_instruction_set()) {
#ifdef WORKBOOK_X86_LEVELS
        case InstructionSet::avx512: return avx512::code;
        case InstructionSet::avx2: return avx2::code;
#endif
        default: return baseline::code;
    }
}

}  // namespace workbook::bench
