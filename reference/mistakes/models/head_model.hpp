/// @file
/// Scores and masks of one head: what its scores are scaled by, what hides them, and which keys and values take part.
#pragma once

#include <vector>

#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

/// One head of one row: T queries on S keys.
struct Head {
    std::size_t q_len, kv_len, head_dim, n_heads, window;
    std::vector<Position> positions;  ///< of its queries, [T]
};

/// The factor of every score.
[[nodiscard]] double scale_of(const Head& head, const Decisions& decisions);

/// Whether query t sees key j.
[[nodiscard]] bool is_visible(const Head& head, std::size_t t, std::size_t j, const Decisions& decisions);

/// What becomes of a score that the mask hides.
[[nodiscard]] double hidden_score(double score, const Decisions& decisions);

/// Whether key j has a score at all.
[[nodiscard]] bool has_score(const Head& head, std::size_t j, const Decisions& decisions);

/// Whether value j is mixed.
[[nodiscard]] bool is_mixed(const Head& head, std::size_t j, const Decisions& decisions);

}  // namespace workbook::mistakes
