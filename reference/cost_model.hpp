/// @file
/// What attention costs: bytes of a KV cache, bytes and operations of prefill and decode, and the least time they take.
/// Bytes are bytes, not KiB; a multiply-add counts as two floating-point operations (FLOPs). head_dim is a number of
/// its own: H·d need not be D. Every function that returns a Count throws std::overflow_error when it would exceed
/// 2⁶⁴ - 1.
#pragma once

#include <cstdint>

namespace workbook::reference {

/// A number of bytes, tokens or operations.
using Count = std::uint64_t;

/// The extents of a model that its costs depend on.
struct ModelShape {
    Count n_layers = 0;
    Count d_model = 0;            ///< D
    Count n_heads = 0;            ///< H
    Count n_kv_heads = 0;         ///< Hkv
    Count head_dim = 0;           ///< d
    Count bytes_per_element = 0;  ///< of a weight and of a cached key or value: 2 for FP16 and BF16
    Count windowed_layers = 0;    ///< how many layers see, and keep, only the last `window` tokens
    Count window = 0;             ///< tokens, the newest included; meaningless without windowed layers
    Count parameters = 0;         ///< all weights of the model
    /// How many of them are in lookup tables, from which a token takes one row and which multiply nothing: token
    /// embeddings, unless the output layer uses the same matrix, and learned positions.
    Count lookup_parameters = 0;
};

/// @throws std::invalid_argument that names the extent, what was expected and what was given
void expect_model(const ModelShape& model);

/// The same model with another number of key/value heads; the size of wk and wv, and with it the number of parameters,
/// changes too.
[[nodiscard]] ModelShape with_kv_heads(ModelShape model, Count n_kv_heads);

/// @name The cache
/// @{

/// Bytes that one token adds to the cache: keys and values, all layers.
[[nodiscard]] Count kv_bytes_per_token(const ModelShape& model);

/// Bytes of the cache of a row of `tokens` tokens; a windowed layer keeps the last `window` of them.
[[nodiscard]] Count cache_bytes(const ModelShape& model, Count tokens);

/// The same if keys and values were repeated to all query heads.
[[nodiscard]] Count expanded_bytes(const ModelShape& model, Count tokens);

/// Bytes a preallocated cache reserves for `batch` rows of `max_len` tokens, used or not.
[[nodiscard]] Count reserved_bytes(const ModelShape& model, Count batch, Count max_len);

/// Bytes of all weights.
[[nodiscard]] Count weight_bytes(const ModelShape& model);

/// The most rows of `max_len` tokens that can be reserved in `memory_bytes` beside the weights.
/// @throws std::invalid_argument when max_len is 0
[[nodiscard]] Count largest_batch(const ModelShape& model, Count max_len, Count memory_bytes);

/// Tokens copied by growing a cache from 0 to `steps` tokens, one per step, by concatenation.
[[nodiscard]] Count tokens_copied_by_concatenation(Count steps);

/// Bytes copied in the same way, by a cache in which every layer keeps all tokens; each is read once and written once.
[[nodiscard]] Count bytes_copied_by_concatenation(const ModelShape& model, Count steps);

/// @}
/// @name Operations
/// @{

/// FLOPs of the four projections for `tokens` tokens of one layer.
[[nodiscard]] Count projection_flops(const ModelShape& model, Count tokens);

/// FLOPs of scores and mixing of one layer without a window for `q_len` new tokens per row on top of `past`, masked
/// pairs left out.
[[nodiscard]] Count attention_flops(const ModelShape& model, Count batch, Count q_len, Count past);

/// The same for all layers, windowed ones with the pairs inside their window.
[[nodiscard]] Count all_attention_flops(const ModelShape& model, Count batch, Count q_len, Count past);

/// FLOPs of all attention layers for a prompt of `q_len` tokens in each of `batch` rows.
[[nodiscard]] Count prefill_flops(const ModelShape& model, Count batch, Count q_len);

/// FLOPs of all attention layers to make one token in each of `batch` rows that hold `past` tokens.
[[nodiscard]] Count decode_flops(const ModelShape& model, Count batch, Count past);

/// FLOPs of the whole model for `q_len` new tokens per row on top of `past`: two for every weight that multiplies and
/// every token, including logits for each token, plus all_attention_flops.
[[nodiscard]] Count model_flops(const ModelShape& model, Count batch, Count q_len, Count past);

/// FLOPs of scores and mixing in decode per byte of cache that has to be read.
[[nodiscard]] double decode_flops_per_cache_byte(const ModelShape& model);

/// @}
/// @name Bytes moved and time
/// @{

/// The least bytes that one call moves: every weight that multiplies, once, and the cache of `batch` rows of `kv_len`
/// tokens, once; decode reads it and prefill writes it.
[[nodiscard]] Count call_bytes(const ModelShape& model, Count batch, Count kv_len);

/// Seconds to move `bytes` at a bandwidth in bytes per second.
/// @throws std::invalid_argument when the bandwidth is not positive
[[nodiscard]] double seconds_at_bandwidth(double bytes, double bytes_per_second);

/// Seconds to do `flops` operations at a rate in FLOPs per second.
/// @throws std::invalid_argument when the rate is not positive
[[nodiscard]] double seconds_at_flop_rate(double flops, double flops_per_second);

/// @}

}  // namespace workbook::reference
