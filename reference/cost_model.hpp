/// @file
/// What attention costs: bytes of a KV cache and operations of prefill and decode. Bytes are bytes, not KiB; a
/// multiply-add counts as two floating-point operations (FLOPs). head_dim is a number of its own: H·d need not be D.
#pragma once

#include <cstdint>

namespace workbook::reference {

/// A number of bytes, tokens or operations.
using Count = std::uint64_t;

/// The extents of a model that its attention costs depend on.
struct ModelShape {
    Count n_layers = 0;
    Count d_model = 0;            ///< D
    Count n_heads = 0;            ///< H
    Count n_kv_heads = 0;         ///< Hkv
    Count head_dim = 0;           ///< d
    Count bytes_per_element = 0;  ///< of a cached key or value: 2 for FP16 and BF16
};

/// Bytes that one token adds to the cache: keys and values, all layers.
[[nodiscard]] Count kv_bytes_per_token(const ModelShape& model);

/// Bytes of `tokens` cached tokens.
[[nodiscard]] Count cache_bytes(const ModelShape& model, Count tokens);

/// Bytes of `tokens` tokens if keys and values were repeated to all query heads.
[[nodiscard]] Count expanded_bytes(const ModelShape& model, Count tokens);

/// Bytes a preallocated cache reserves for `batch` rows of `max_len` tokens, used or not.
[[nodiscard]] Count reserved_bytes(const ModelShape& model, Count batch, Count max_len);

/// Tokens copied by growing a cache from 0 to `steps` tokens, one per step, by concatenation.
[[nodiscard]] Count tokens_copied_by_concatenation(Count steps);

/// Bytes copied by the same; each is read once and written once.
[[nodiscard]] Count bytes_copied_by_concatenation(const ModelShape& model, Count steps);

/// FLOPs of the four projections for `tokens` tokens of one layer.
[[nodiscard]] Count projection_flops(const ModelShape& model, Count tokens);

/// FLOPs of scores and mixing of one layer for `q_len` new tokens per row on top of `past`, masked pairs left out.
[[nodiscard]] Count attention_flops(const ModelShape& model, Count batch, Count q_len, Count past);

/// FLOPs of all attention layers for a prompt of `q_len` tokens in each of `batch` rows.
[[nodiscard]] Count prefill_flops(const ModelShape& model, Count batch, Count q_len);

/// FLOPs of all attention layers to make one token in each of `batch` rows that hold `past` tokens.
[[nodiscard]] Count decode_flops(const ModelShape& model, Count batch, Count past);

/// FLOPs of scores and mixing in decode per byte of cache that has to be read.
[[nodiscard]] double decode_flops_per_cache_byte(const ModelShape& model);

/// Seconds to move `bytes` at a bandwidth in bytes per second.
[[nodiscard]] double seconds_at_bandwidth(double bytes, double bytes_per_second);

}  // namespace workbook::reference
