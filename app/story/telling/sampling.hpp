/// @file
/// How tokens are chosen.
#pragma once

#include <cstdint>

namespace workbook::story {

/// The choice of tokens; as it stands, always the best one.
struct Sampling {
    double temperature = 0;  ///< 0: always the best token; otherwise logits are divided by it
    double top_p = 1;        ///< only the likeliest tokens that have this much of the probability together
    std::uint64_t seed = 1;
};

}  // namespace workbook::story
