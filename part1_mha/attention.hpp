/// @file
/// The one Attention class of the workbook, and the steps it is made of.
///
/// Symbols, used everywhere: B rows in the batch, T token slots of this call, S keys a row can see, D width of the
/// hidden state, H query heads, Hkv key/value heads, G = H / Hkv query heads that share one, d width of a head.
/// Everything is row-major. B, T and the number of keys may be 0. WORKBOOK_STEP marks what you write; the rest is
/// given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "part1_mha/step.hpp"
#include "part1_mha/tensor.hpp"

/// What the three parts are made of: the functions that you write, marked with their step, and what you are given to
/// write them with.
namespace workbook {

class KVCache;  // part 2

/// An absolute position in a sequence: 0 is the first token. sees_nothing marks a slot that holds no token.
using Position = std::int64_t;

/// The position of a query that sees no key at all, such as a padded slot.
inline constexpr Position sees_nothing = -1;

/// The positions of all query slots of a call, [B, T].
using Positions = xt::xtensor<Position, 2, xt::layout_type::row_major>;

/// The positions of one batch row, [T], without a copy; `positions` has to outlive it.
[[nodiscard]] std::span<const Position> positions_of_row(const Positions& positions, std::size_t row);

/// A number of tokens for each batch row, [B].
using Lengths = std::vector<std::size_t>;

/// The extents of a layer.
struct AttentionConfig {
    std::size_t d_model = 0;     ///< D
    std::size_t n_heads = 0;     ///< H, divides D
    std::size_t n_kv_heads = 0;  ///< Hkv, divides H: a count of key/value heads, never a group size
    /// Base of the rotary position encoding; none means that no rotation is applied.
    std::optional<double> rope_base = std::nullopt;

    [[nodiscard]] std::size_t head_dim() const { return d_model / n_heads; }       ///< d = D / H
    [[nodiscard]] std::size_t group_size() const { return n_heads / n_kv_heads; }  ///< G = H / Hkv
};

/// The four projections of a layer; a hidden state is a row, so a projection is `x · w`.
struct AttentionWeights {
    Matrix wq;  ///< [D, D]
    Matrix wk;  ///< [D, Hkv·d]
    Matrix wv;  ///< [D, Hkv·d]
    Matrix wo;  ///< [D, D]
};

/// Queries, keys and values of one call, split into heads.
struct Projected {
    Tensor<4> q;  ///< [B, H, T, d]
    Tensor<4> k;  ///< [B, Hkv, T, d]
    Tensor<4> v;  ///< [B, Hkv, T, d]
};

/// Key and value rows to attend to: a view that owns none of them. Row b shows `kv_len(b)` rows of each of its heads,
/// whether they were just projected or are in a cache.
class KeyValues {
public:
    /// Views freshly projected keys and values, every row in full; both have to outlive the view, so they need names.
    /// @param k  [B, Hkv, S, d]
    /// @param v  [B, Hkv, S, d]
    /// @throws std::invalid_argument when the shapes differ
    KeyValues(const Tensor<4>& k, const Tensor<4>& v);
    KeyValues(Tensor<4>&& k, Tensor<4>&& v) = delete;

    /// Views the first `lengths[b]` of the S rows of each head of batch row b.
    /// @throws std::invalid_argument when the shapes differ, or a length exceeds S, or there are not B lengths
    KeyValues(const Tensor<4>& k, const Tensor<4>& v, Lengths lengths);

    [[nodiscard]] std::size_t batch() const { return lengths_.size(); }                   ///< B
    [[nodiscard]] std::size_t n_kv_heads() const { return n_kv_heads_; }                  ///< Hkv
    [[nodiscard]] std::size_t head_dim() const { return head_dim_; }                      ///< d
    [[nodiscard]] std::size_t kv_len(std::size_t row) const { return lengths_.at(row); }  ///< S of one batch row

    /// The keys of one row and key/value head, [kv_len(row), d], without a copy.
    [[nodiscard]] ConstMatrix keys(std::size_t row, std::size_t kv_head) const;

    /// The values of one row and key/value head, [kv_len(row), d], without a copy.
    [[nodiscard]] ConstMatrix values(std::size_t row, std::size_t kv_head) const;

private:
    [[nodiscard]] ConstMatrix live_rows(const Scalar* data, std::size_t row, std::size_t kv_head) const;

    const Scalar* keys_;
    const Scalar* values_;
    std::size_t n_kv_heads_;
    std::size_t head_dim_;
    std::size_t rows_per_head_;  // allocated rows; a cache has more of them than live ones
    Lengths lengths_;
};

/// @name Part 1: causal multi-head attention
/// @{

/// 1.1 Splits the last axis into heads and moves the head axis before the token axis.
/// @param x      [B, T, heads·d]
/// @param heads  how many heads, at least 1
/// @return       [B, heads, T, d]; element (b, h, t, c) is x(b, t, h·d + c)
[[nodiscard]] WORKBOOK_STEP Tensor<4> split_heads(const Tensor<3>& x, std::size_t heads);

/// 1.1 The inverse of split_heads.
/// @param x  [B, heads, T, d]
/// @return   [B, T, heads·d]
[[nodiscard]] WORKBOOK_STEP Tensor<3> merge_heads(const Tensor<4>& x);

/// 1.2 Softmax over each row.
/// @param scores  [R, S]; finite, or -infinity for a key that must get no weight
/// @return        [R, S]; every row sums to 1, or is all zeros where every score is -infinity
[[nodiscard]] WORKBOOK_STEP Matrix softmax_rows(const Matrix& scores);

/// 1.3 Causal scaled dot-product attention of one head.
/// @param q          [R, d]; the row of a query that sees nothing may hold anything, even NaN
/// @param k          [S, d], finite; row j is the key at absolute position j
/// @param v          [S, d], finite
/// @param positions  [R], each at least -1; query r sees key j iff j <= positions[r]
/// @return           [R, d]; zeros for a query that sees no key
[[nodiscard]] WORKBOOK_STEP Matrix attend_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                                               std::span<const Position> positions);

/// 1.4 Attention of every row and head when each query head has a key/value head of its own.
/// @param q          [B, H, T, d]
/// @param kv         [B, H, ·, d]
/// @param positions  [B, T]
/// @return           [B, H, T, d]
[[nodiscard]] WORKBOOK_STEP Tensor<4> attend_heads(const Tensor<4>& q, const KeyValues& kv, const Positions& positions);

/// @}
/// @name Part 2: the positions of a call on top of a cache
/// @{

/// 2.2 The absolute positions of `q_len` new tokens in each row.
/// @param past   [B] tokens that each row holds already
/// @param q_len  T
/// @return       [B, T]
[[nodiscard]] WORKBOOK_STEP Positions call_positions(const Lengths& past, std::size_t q_len);

/// @}
/// @name Part 3: grouped-query attention
/// @{

/// 3.1 The key/value head that a query head reads.
/// @param query_head  0 … H-1
/// @param n_heads     H
/// @param n_kv_heads  Hkv, divides H
/// @return            0 … Hkv-1
[[nodiscard]] WORKBOOK_STEP std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads);

/// 3.2 Attention of every row and head when G = H / Hkv neighbouring query heads share a key/value head.
/// @param q          [B, H, T, d]
/// @param kv         [B, Hkv, ·, d]
/// @param positions  [B, T]
/// @return           [B, H, T, d]
[[nodiscard]] WORKBOOK_STEP Tensor<4> attend_groups(const Tensor<4>& q, const KeyValues& kv,
                                                    const Positions& positions);

/// 3.3 The absolute positions of a ragged call: row b brings `n_new[b]` tokens in T slots.
/// @param past   [B] tokens that each row holds already
/// @param n_new  [B] valid tokens of this call, each at most T; the slots after them are padding
/// @param q_len  T
/// @return       [B, T]; sees_nothing in padded slots
[[nodiscard]] WORKBOOK_STEP Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len);

/// Given: refuses head counts that cannot form groups.
/// @throws std::invalid_argument unless n_kv_heads is at least 1 and divides n_heads
void expect_groups(std::string_view function, std::size_t n_heads, std::size_t n_kv_heads);

/// @}

/// A causal self-attention layer that owns its four projections. Calls do not change the layer.
class Attention {
public:
    /// @throws std::invalid_argument when the extents are zero or do not divide, or a weight has the wrong shape
    Attention(const AttentionConfig& config, AttentionWeights weights);

    [[nodiscard]] const AttentionConfig& config() const { return config_; }
    [[nodiscard]] const AttentionWeights& weights() const { return weights_; }

    /// Given: rotary position encoding, or the heads unchanged when the configuration asks for none. Pairs are
    /// adjacent, (2i, 2i+1), and are rotated by position · base^(-2i/d) radians; a slot that sees nothing is left
    /// alone.
    /// @param heads      [B, ·, T, d]
    /// @param positions  [B, T]
    /// @return           [B, ·, T, d]
    [[nodiscard]] Tensor<4> rotate(Tensor<4> heads, const Positions& positions) const;

    /// Given: attend_heads when every query head has its own key/value head, attend_groups otherwise.
    /// @param q          [B, H, T, d]
    /// @param kv         [B, Hkv, ·, d]
    /// @param positions  [B, T]
    /// @return           [B, H, T, d]
    [[nodiscard]] Tensor<4> attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) const;

    /// 1.5 Queries, keys and values of a call; queries and keys have been through `rotate`.
    /// @param x          [B, T, D]
    /// @param positions  [B, T]
    [[nodiscard]] WORKBOOK_STEP Projected project(const Tensor<3>& x, const Positions& positions) const;

    /// 1.5 What follows the projections: attends, merges the heads and applies wo.
    /// @param q          [B, H, T, d]
    /// @param kv         [B, Hkv, ·, d]
    /// @param positions  [B, T]
    /// @return           [B, T, D]
    [[nodiscard]] WORKBOOK_STEP Tensor<3> output(const Tensor<4>& q, const KeyValues& kv,
                                                 const Positions& positions) const;

    /// 1.5 The layer without a cache: the tokens of each row sit at positions 0 … T-1.
    /// @param x  [B, T, D]
    /// @return   [B, T, D]
    [[nodiscard]] WORKBOOK_STEP Tensor<3> forward(const Tensor<3>& x) const;

    /// 2.3 The layer on top of a cache: T new tokens in every row, at the positions that follow what the cache holds.
    /// Afterwards the cache holds them too.
    /// @param x      [B, T, D]
    /// @param cache  B rows with Hkv heads of width d; holds T more tokens in every row afterwards
    /// @return       [B, T, D], the outputs of the new tokens
    /// @throws std::length_error when a row would exceed the cache's capacity; nothing has changed in that case
    WORKBOOK_STEP Tensor<3> forward(const Tensor<3>& x, KVCache& cache) const;

    /// 3.3 The layer on top of a cache, for rows of different lengths: row b brings `n_new[b]` tokens in T slots.
    /// @param x      [B, T, D]; the slots after the first n_new[b] of row b are padding and may hold anything, even NaN
    /// @param cache  B rows with Hkv heads of width d; holds n_new[b] more tokens in row b afterwards
    /// @param n_new  [B], each at most T
    /// @return       [B, T, D]; zeros in padded slots
    /// @throws std::length_error when a row would exceed the cache's capacity; nothing has changed in that case
    WORKBOOK_STEP Tensor<3> forward(const Tensor<3>& x, KVCache& cache, const Lengths& n_new) const;

private:
    AttentionConfig config_;
    AttentionWeights weights_;
};

/// Multiply-adds, elements and bytes of attention, as small functions of the extents.
namespace costs {

/// A number of multiply-adds, elements, tokens or bytes.
using Count = std::uint64_t;

/// 1.6 Multiply-adds of the four projections, every weight [D, D].
[[nodiscard]] WORKBOOK_STEP Count projection_multiply_adds(Count batch, Count q_len, Count d_model);

/// 1.6 Multiply-adds of scores and mixing over all T × T pairs, the masked half included.
[[nodiscard]] WORKBOOK_STEP Count attention_multiply_adds(Count batch, Count q_len, Count d_model);

/// 1.6 Elements of the score tensor of a whole call when all heads are held at once.
[[nodiscard]] WORKBOOK_STEP Count score_elements(Count batch, Count n_heads, Count q_len);

/// 2.4 Bytes that one token adds to the cache, keys and values of all layers.
[[nodiscard]] WORKBOOK_STEP Count cache_bytes_per_token(Count n_layers, Count n_kv_heads, Count head_dim,
                                                        Count bytes_per_element);

/// 2.4 Tokens copied in total by a cache that grows from 0 to `steps` tokens, one per step, by concatenation: each
/// step moves all tokens held before it.
[[nodiscard]] WORKBOOK_STEP Count tokens_copied_by_concatenation(Count steps);

/// 2.4 Tokens projected in total to generate `steps` tokens one by one without a cache: step t runs all t tokens.
[[nodiscard]] WORKBOOK_STEP Count tokens_projected_without_cache(Count steps);

/// 3.4 Multiply-adds of the four projections when wk and wv are [D, Hkv·d].
[[nodiscard]] WORKBOOK_STEP Count grouped_projection_multiply_adds(Count batch, Count q_len, Count d_model,
                                                                   Count n_kv_heads, Count head_dim);

/// 3.4 Bytes of keys and values of `tokens` tokens, all layers, if every query head had a copy of its own.
[[nodiscard]] WORKBOOK_STEP Count expanded_cache_bytes(Count tokens, Count n_layers, Count n_heads, Count head_dim,
                                                       Count bytes_per_element);

/// 3.4 Arithmetic intensity of decode: floating-point operations of scores and mixing (a multiply-add is two) per byte
/// read from the cache.
[[nodiscard]] WORKBOOK_STEP double decode_flops_per_cache_byte(Count n_heads, Count n_kv_heads,
                                                               Count bytes_per_element);

}  // namespace costs

}  // namespace workbook
