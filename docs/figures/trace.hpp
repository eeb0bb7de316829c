/// @file
/// Follows tokens through a layer. Each token is a channel of its own, scores are all equal and projections only copy,
/// so an output shows which tokens, of which key/value head, it was mixed from.
#pragma once

#include <string>
#include <vector>

#include "docs/figures/grid.hpp"
#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/decisions/decisions.hpp"

namespace workbook::figures {

/// Calls of a layer, one after the other.
struct Scenario {
    std::string title;  ///< "a chunk of two tokens after three"
    std::size_t n_heads, n_kv_heads;
    std::vector<Lengths> calls;  ///< of each call, the tokens that each row brings
    bool cached;
};

/// What outputs were mixed from.
struct Trace {
    std::vector<Sight> heads;  ///< for each query head: all queries of all calls, all tokens
    /// The key/value head that each query head reads; empty when one of them shows values of several.
    std::vector<std::size_t> kv_heads;
};

/// Runs the worked solutions.
[[nodiscard]] Trace trace(const Scenario& scenario);

/// Runs the model of a mistake.
[[nodiscard]] Trace trace(const Scenario& scenario, const mistakes::Decisions& decisions);

}  // namespace workbook::figures
