/// @file
/// A cache that is compared with what it should hold after each call, for the tests of step 2.1.
#pragma once

#include <optional>
#include <vector>

#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/cached_calls.hpp"

namespace workbook::grading {

/// The extents of a cache.
struct Extents {
    std::size_t batch = 3;
    std::size_t n_kv_heads = 5;
    std::size_t max_len = 8;
    std::size_t head_dim = 2;
};

/// Keys and values to append, [B, Hkv, T, d]; every element of every chunk differs.
struct Chunk {
    Tensor<4> k, v;
    Lengths n_new;
};

/// A chunk of `slots` slots for each row, of which `n_new` hold real tokens.
[[nodiscard]] Chunk random_chunk(std::size_t slots, const Lengths& n_new, unsigned seed, const Extents& extents = {});

/// A cache of no tokens, with numbers in its slots that are none of theirs.
[[nodiscard]] KVCache empty_cache(const Extents& extents = {});

/// Calls cache.append.
void append(KVCache& cache, const Chunk& chunk);

/// What a buffer holds after the chunk's real tokens were written behind `past`.
void write_expected(Tensor<4>& buffer, const Tensor<4>& rows, const Lengths& past, const Lengths& n_new);

/// A cache beside what it should hold.
class CheckedCache {
public:
    explicit CheckedCache(const Extents& extents = {}) : cache_(empty_cache(extents)), lengths_(extents.batch, 0) {}

    /// Appends and compares the whole buffers, unwritten slots included, and the lengths.
    void append(const Chunk& chunk);

    /// Resets and compares the lengths and the extents.
    void reset();

    KVCache& cache() { return cache_; }
    [[nodiscard]] const Lengths& lengths() const { return lengths_; }

private:
    void expect_shapes() const;
    void expect_lengths() const;
    void expect_state() const;
    /// The cache after all calls.
    [[nodiscard]] mistakes::CacheState replay(const mistakes::Decisions& decisions) const;

    KVCache cache_;
    mistakes::CacheState start_ = mistakes::state_of(cache_);
    std::vector<std::optional<Chunk>> calls_;  // nothing: a reset
    Tensor<4> keys_ = cache_.keys();
    Tensor<4> values_ = cache_.values();
    Lengths lengths_;
};

/// Appends chunks to an empty cache and compares after each, up to the first that fails.
void expect_buffers_after(const std::vector<Chunk>& chunks);

/// The buffers lie where they lay before.
void expect_in_place(const KVCache& cache, const Scalar* keys, const Scalar* values);

}  // namespace workbook::grading
