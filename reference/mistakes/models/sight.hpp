/// @file
/// What the queries of a cached call look at, with right decisions or wrong ones. It is found by running the model on
/// tokens that can be told apart, so it is what the model does and not a second description of it.
#pragma once

#include <string>
#include <vector>

#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

/// A cached call. Every row has room for its T slots: past[b] + q_len <= max_len.
struct CachedCall {
    Lengths past;           ///< [B]
    Lengths n_new;          ///< [B]
    std::size_t q_len = 0;  ///< T
    std::size_t max_len = 0;
    std::size_t n_heads = 1;
    std::size_t n_kv_heads = 1;
    std::size_t window = 0;  ///< 0: none
};

/// What one query does with each of C keys: '.' does not count, '#' counts, '!' does not count but is multiplied by 0,
/// so NaN gets through.
struct Sight {
    std::string tokens;  ///< token j of the row, at absolute position j; padding of the call follows
    std::string slots;   ///< slot j of the cache, if it has not been written yet
    bool operator==(const Sight&) const = default;
};

/// [B][H][T].
/// @throws std::invalid_argument when the call would write or read outside the slots of a row
[[nodiscard]] std::vector<std::vector<std::vector<Sight>>> sights(const CachedCall& call, const Decisions& decisions);

/// Which key/value heads a query head reads.
struct HeadReads {
    std::size_t keys = 0;    ///< as computed; n_kv_heads or more is a head that does not exist
    std::size_t values = 0;  ///< the last head in place of one that does not exist
};

/// [H].
[[nodiscard]] std::vector<HeadReads> head_reads(std::size_t n_heads, std::size_t n_kv_heads,
                                                const Decisions& decisions);

}  // namespace workbook::mistakes
