#include "app/bench/setting.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include <cstdlib>

#include "app/base/system/machine.hpp"
#include "follow_ups/streaming/fast/instruction_set.hpp"
#include "part1_mha/scalar.hpp"

namespace workbook::bench {

namespace {

#ifdef WORKBOOK_NATIVE
constexpr const char* compiled_for = "this processor alone";
#else
constexpr const char* compiled_for = "any processor";
#endif

std::string instruction_set_text() {
    switch (widest_instruction_set()) {
        case InstructionSet::avx512: return "AVX-512";
        case InstructionSet::avx2: return "AVX2";
        case InstructionSet::baseline: return "the baseline";
    }
    return "";
}

}  // namespace

nlohmann::ordered_json setting(const std::string& commit, const std::string& files) {
    const char* threads = std::getenv("OMP_NUM_THREADS");
    return {{"machine", app::processor()},
            {"date", app::utc_date()},
            {"commit", commit},
            {"files", files},
            {"numbers", sizeof(Scalar) == sizeof(float) ? "float" : "double"},
            {"compiled_for", compiled_for},
            {"threads", threads == nullptr ? "all" : threads},
            {"vector_code", instruction_set_text()},
            {"openblas", openblas_get_corename()}};
}

std::string text_of(const nlohmann::ordered_json& setting) {
    const auto get = [&](const char* key) { return setting.at(key).get<std::string>(); };
    return fmt::format(
        "Code: {}.\n"
        "{}, {}, commit {}; {}, threads: {}.\n"
        "Compiled for {}. The vector code runs with {},\n"
        "OpenBLAS with its kernels for {}.\n",
        get("files"), get("machine"), get("date"), get("commit"), get("numbers"), get("threads"), get("compiled_for"),
        get("vector_code"), get("openblas"));
}

}  // namespace workbook::bench
