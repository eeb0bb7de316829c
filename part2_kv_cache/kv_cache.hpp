/// @file
/// The preallocated key/value cache of one layer.
#pragma once

#include <cstddef>
#include <functional>

#include "part1_mha/attention.hpp"

namespace workbook {

/// Keys and values of the tokens that a layer has processed. Each of the two has one buffer, [B, Hkv, C, d], which is
/// allocated once and never moves; row b holds `length(b)` tokens, in slots 0 … length(b)-1 of each of its heads.
class KVCache {
public:
    /// An empty cache.
    /// @param batch       B, may be 0
    /// @param n_kv_heads  Hkv, at least 1
    /// @param max_len     C, the capacity of each row in tokens
    /// @param head_dim    d, at least 1
    /// @throws std::invalid_argument
    KVCache(std::size_t batch, std::size_t n_kv_heads, std::size_t max_len, std::size_t head_dim);

    [[nodiscard]] std::size_t batch() const { return keys_.shape(0); }                    ///< B
    [[nodiscard]] std::size_t n_kv_heads() const { return keys_.shape(1); }               ///< Hkv
    [[nodiscard]] std::size_t max_len() const { return keys_.shape(2); }                  ///< C
    [[nodiscard]] std::size_t head_dim() const { return keys_.shape(3); }                 ///< d
    [[nodiscard]] std::size_t length(std::size_t row) const { return lengths_.at(row); }  ///< L of one batch row
    [[nodiscard]] const Lengths& lengths() const { return lengths_; }                     ///< L of every row, [B]

    /// The whole buffer of keys, [B, Hkv, C, d]. Slots past a row's length may hold anything, even NaN.
    [[nodiscard]] Tensor<4>& keys() { return keys_; }
    [[nodiscard]] const Tensor<4>& keys() const { return keys_; }

    /// The whole buffer of values, [B, Hkv, C, d]. Slots past a row's length may hold anything, even NaN.
    [[nodiscard]] Tensor<4>& values() { return values_; }
    [[nodiscard]] const Tensor<4>& values() const { return values_; }

    /// Bytes of both buffers.
    [[nodiscard]] std::size_t bytes() const { return (keys_.size() + values_.size()) * sizeof(Scalar); }

    /// The live rows as they are now, [B, Hkv, length(b), d]: a view that aliases the buffers. It keeps the lengths as
    /// of this call; the cache has to outlive it.
    [[nodiscard]] KeyValues live() const { return {keys_, values_, lengths_}; }

    /// 2.1 Appends the first `n_new[b]` tokens of row b, for every row, in place; no other slot changes.
    /// @param k      [B, Hkv, T, d]
    /// @param v      [B, Hkv, T, d]
    /// @param n_new  [B], each at most T; the slots after them are padding
    /// @throws std::length_error when any row would hold more than C tokens; no row has changed in that case
    WORKBOOK_STEP void append(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new);

    /// 2.1 Empties every row, for a new sequence in the same buffers, whose contents need not be cleared.
    WORKBOOK_STEP void reset();

    /// Given: refuses arguments of append that do not fit this cache, whatever its capacity.
    /// @throws std::invalid_argument when a shape is wrong, or there are not B counts, or a count exceeds T
    void expect_appendable(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new) const;

private:
    Tensor<4> keys_;    // [B, Hkv, C, d]
    Tensor<4> values_;  // [B, Hkv, C, d]
    Lengths lengths_;   // [B]
};

/// Given: refuses a call of forward whose input or cache does not fit the layer.
/// @throws std::invalid_argument
void expect_forward_fits(const AttentionConfig& config, const Tensor<3>& x, const KVCache& cache);

/// Given: the same for a ragged call, whose counts have to fit too.
/// @throws std::invalid_argument
void expect_forward_fits(const AttentionConfig& config, const Tensor<3>& x, const KVCache& cache, const Lengths& n_new);

/// A layer that may be right or wrong, for step 2.5. The two functions are called like the two forwards of Attention,
/// and throw nothing for calls that fit the cache.
struct LayerUnderTest {
    AttentionConfig config;
    std::function<Tensor<3>(const Tensor<3>& x)> forward;
    std::function<Tensor<3>(const Tensor<3>& x, KVCache& cache)> forward_cached;
};

/// 2.5 A check of your own: does the cached forward give what the uncached one gives?
/// @return true for every right layer; false for one that is wrong for at least one way of cutting a sequence into
/// chunks
[[nodiscard]] WORKBOOK_STEP bool cached_equals_uncached(const LayerUnderTest& layer);

}  // namespace workbook
