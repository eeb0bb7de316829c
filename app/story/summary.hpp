/// @file
/// What a story has cost: speed, bytes of the cache, bytes that were not copied.
#pragma once

#include <string>
#include <vector>

#include "app/story/telling/session.hpp"

namespace workbook::story {

/// A run that is over.
struct Run {
    std::vector<Tokens> prompts;  ///< [B]
    std::vector<Tokens> told;     ///< [B], new tokens
    Caching caching = Caching::on;
    std::size_t max_len = 0;      ///< capacity of the caches
    std::size_t cache_bytes = 0;  ///< allocated
    double seconds = 0;           ///< from the first call to the last
};

/// Tokens per second with and without the cache, the bytes of the cache beside the formula, and the bytes that a cache
/// which grows by concatenation would have copied. Measures the last token with and without a cache for it.
[[nodiscard]] std::string summary(const Llama& model, const Run& run);

}  // namespace workbook::story
