/// @file
/// What an implementation with the given decisions computes: the direct oracle with a switch for each of them. With
/// right decisions, everything equals the oracle, whatever the input.
#pragma once

#include <functional>
#include <limits>

#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/decisions/decisions.hpp"
#include "reference/oracle.hpp"

namespace workbook::mistakes {

using reference::Array;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Stands for "any value" in the result of a mistake that reads memory that was never written.
inline constexpr double anything = 0x1.5a5a5a5a5a5a5p-1000;

/// Keys and values with the number of live rows of each batch row.
struct KeyRows {
    Array<4> k, v;           ///< [B, Hkv, C, d], all slots
    Lengths lengths;         ///< [B]
    std::size_t window = 0;  ///< the most keys, up to its own position, that a query sees; 0: all
    bool streaming = false;  ///< whether attention goes over them in tiles
};

/// A cache as the model sees it.
struct CacheState {
    Array<4> keys, values;  ///< [B, Hkv, C, d]
    Lengths lengths;        ///< [B]
};

/// A layer.
struct Layer {
    AttentionConfig config;
    AttentionWeights weights;
    std::size_t window = 0;  ///< of its cached calls; 0: none
    bool streaming = false;  ///< whether it attends over tiles of keys
};

/// @name Part 1
/// @{

/// [B, T, heads·d] to [B, heads, T, d].
[[nodiscard]] Array<4> split_heads(const Array<3>& x, std::size_t heads, const Decisions& decisions);

/// [B, heads, T, d] to [B, T, heads·d].
[[nodiscard]] Array<3> merge_heads(const Array<4>& x, const Decisions& decisions);

/// [R, S] to [R, S].
[[nodiscard]] Array<2> softmax_rows(const Array<2>& scores, const Decisions& decisions);

/// Steps 1.3, 1.4, 3.2 and streaming.1: q [B, H, T, d], positions [B, T]; gives [B, H, T, d].
[[nodiscard]] Array<4> attend(const Array<4>& q, const KeyRows& rows, const Positions& positions,
                              const Decisions& decisions);

/// Queries, keys and values of x [B, T, D].
[[nodiscard]] reference::Heads project(const Layer& layer, const Array<3>& x, const Positions& positions,
                                       const Decisions& decisions);

/// The layer without a cache, [B, T, D] to [B, T, D].
[[nodiscard]] Array<3> forward(const Layer& layer, const Array<3>& x, const Decisions& decisions);

/// @}
/// @name Part 2
/// @{

/// Appends like KVCache::append.
/// @throws std::length_error when tokens are refused
/// @throws std::invalid_argument when a token would be written outside the slots of its row
void append(CacheState& cache, const Array<4>& k, const Array<4>& v, const Lengths& n_new, const Decisions& decisions);

/// Empties the cache.
void reset(CacheState& cache, const Decisions& decisions);

/// Positions of q_len new tokens, [B, T].
[[nodiscard]] Positions call_positions(const Lengths& past, std::size_t q_len, const Decisions& decisions);

/// The layer on top of a cache, for equal rows: x [B, T, D].
[[nodiscard]] Array<3> forward(const Layer& layer, const Array<3>& x, CacheState& cache, const Decisions& decisions);

/// @}
/// @name Part 3
/// @{

/// The key/value head that a query head reads.
[[nodiscard]] std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads,
                                     const Decisions& decisions);

/// Positions of a ragged call, [B, T].
[[nodiscard]] Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len,
                                         const Decisions& decisions);

/// The layer on top of a cache, for ragged rows: x [B, T, D].
[[nodiscard]] Array<3> forward(const Layer& layer, const Array<3>& x, CacheState& cache, const Lengths& n_new,
                               const Decisions& decisions);

/// @}

}  // namespace workbook::mistakes
