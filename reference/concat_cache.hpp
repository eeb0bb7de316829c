/// @file
/// The textbook step that parts 2 and 3 replace: a cache that grows by concatenation and is expanded to all query heads
/// for every call. A second oracle, and what a preallocated cache is measured against.
#pragma once

#include <cstdint>
#include <optional>

#include "part1_mha/tensor.hpp"

namespace workbook::reference {

/// Keys and values with one head per key/value head, [B, Hkv, S, d] each.
struct CompactPair {
    Tensor<4> k, v;

    /// Elements stored in both tensors: 2 · B·Hkv·S·d.
    [[nodiscard]] std::size_t elements() const { return k.size() + v.size(); }
};

/// Keys and values repeated to one head per query head, [B, H, S, d] each.
struct ExpandedPair {
    Tensor<4> k, v;
};

/// What one step returns.
struct ConcatStep {
    CompactPair compact;         ///< the cache after the step: a new, longer copy
    ExpandedPair expanded;       ///< the same rows, repeated to H heads for this call
    std::uint64_t bytes_copied;  ///< bytes of old tokens that were moved into the longer copy
};

/// Appends this step's keys and values to the cache by concatenation and expands the result.
/// @param cache    the compact pair so far, or none yet
/// @param k        [B, Hkv, n, d] of this step
/// @param v        [B, Hkv, n, d] of this step
/// @param n_heads  H, a multiple of Hkv
/// @throws std::invalid_argument when shapes or head counts do not fit
[[nodiscard]] ConcatStep concat_and_expand(const std::optional<CompactPair>& cache, const Tensor<4>& k,
                                           const Tensor<4>& v, std::size_t n_heads);

}  // namespace workbook::reference
