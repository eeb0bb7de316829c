/// @file
/// The calls that a layer and a cache have seen, so that a wrong answer can be compared with what a mistake would have
/// given if it had been made from the first call on.
#pragma once

#include <optional>
#include <vector>

#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

/// The layer as the models see it.
[[nodiscard]] Layer layer_of(const Attention& layer);

/// The cache as the models see it.
[[nodiscard]] CacheState state_of(const KVCache& cache);

/// One number for each batch row, [B].
[[nodiscard]] reference::Array<1> as_array(const Lengths& lengths);

/// A sequence of calls on one cache.
class CachedCalls {
public:
    /// Starts from what the cache holds now.
    /// @param streaming  whether the calls go over keys in tiles
    CachedCalls(const Attention& layer, const KVCache& cache, bool streaming = false);

    /// Records a call of forward(x, cache) or, with counts, of forward(x, cache, n_new).
    void note(const Tensor<3>& x, const std::optional<Lengths>& n_new = std::nullopt);

    /// What the last call gives, [B, T, D].
    [[nodiscard]] reference::Array<3> answer(const Decisions& decisions) const;

    /// The lengths of the cache after the last call, [B].
    [[nodiscard]] reference::Array<1> lengths(const Decisions& decisions) const;

private:
    struct Call {
        reference::Array<3> x;
        std::optional<Lengths> n_new;
    };

    // Makes all calls; `cache` and the result are those after the last.
    reference::Array<3> replay(CacheState& cache, const Decisions& decisions) const;

    Layer layer_;
    CacheState start_;
    std::vector<Call> calls_;
};

}  // namespace workbook::mistakes
