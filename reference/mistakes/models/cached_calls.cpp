#include "reference/mistakes/models/cached_calls.hpp"

#include <algorithm>

namespace workbook::mistakes {

Layer layer_of(const Attention& layer) {
    return {layer.config(), layer.weights(), 0, false};
}

CacheState state_of(const KVCache& cache) {
    return {reference::to_double(cache.keys()), reference::to_double(cache.values()), cache.lengths()};
}

reference::Array<1> as_array(const Lengths& lengths) {
    reference::Array<1> array(std::array<std::size_t, 1>{lengths.size()});
    std::ranges::transform(lengths, array.begin(), [](std::size_t length) { return static_cast<double>(length); });
    return array;
}

CachedCalls::CachedCalls(const Attention& layer, const KVCache& cache, bool streaming)
    : layer_(layer_of(layer)), start_(state_of(cache)) {
    layer_.streaming = streaming;
}

void CachedCalls::note(const Tensor<3>& x, const std::optional<Lengths>& n_new) {
    calls_.push_back({reference::to_double(x), n_new});
}

reference::Array<3> CachedCalls::replay(CacheState& cache, const Decisions& decisions) const {
    reference::Array<3> y;
    for (const Call& call : calls_) {
        y = call.n_new ? forward(layer_, call.x, cache, *call.n_new, decisions)
                       : forward(layer_, call.x, cache, decisions);
    }
    return y;
}

reference::Array<3> CachedCalls::answer(const Decisions& decisions) const {
    CacheState cache = start_;
    return replay(cache, decisions);
}

reference::Array<1> CachedCalls::lengths(const Decisions& decisions) const {
    CacheState cache = start_;
    replay(cache, decisions);
    return as_array(cache.lengths);
}

}  // namespace workbook::mistakes
