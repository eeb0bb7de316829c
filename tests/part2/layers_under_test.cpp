#include "tests/part2/layers_under_test.hpp"

#include <algorithm>
#include <limits>

#include "reference/mistakes/models/cached_calls.hpp"
#include "reference/mistakes/models/model.hpp"
#include "reference/oracle.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {

namespace {

using reference::Array;
using reference::to_double;

template <std::size_t N>
Tensor<N> to_scalar(const Array<N>& array) {
    Tensor<N> tensor(array.shape());
    std::transform(array.begin(), array.end(), tensor.begin(), [](double value) { return static_cast<Scalar>(value); });
    return tensor;
}

Tensor<3> forward_cached(const mistakes::Layer& layer, const mistakes::Decisions& decisions, const Tensor<3>& x,
                         KVCache& cache) {
    mistakes::CacheState state = mistakes::state_of(cache);
    const Array<3> y = mistakes::forward(layer, to_double(x), state, decisions);
    cache.reset();
    cache.append(to_scalar(state.keys), to_scalar(state.values), state.lengths);
    return to_scalar(y);
}

}  // namespace

LayerUnderTest layer_with(const mistakes::Decisions& decisions, const AttentionConfig& config, unsigned seed,
                          double output_scale) {
    mistakes::Layer layer{config, random_weights(config, seed)};
    layer.weights.wo *= static_cast<Scalar>(output_scale);
    return {config,
            [=](const Tensor<3>& x) { return to_scalar(reference::forward(config, layer.weights, to_double(x))); },
            [=](const Tensor<3>& x, KVCache& cache) { return forward_cached(layer, decisions, x, cache); }};
}

LayerUnderTest with_nan_on_top_of_past(LayerUnderTest layer) {
    layer.forward_cached = [right = layer.forward_cached](const Tensor<3>& x, KVCache& cache) {
        const bool has_past = std::ranges::any_of(cache.lengths(), [](std::size_t length) { return length > 0; });
        Tensor<3> y = right(x, cache);
        if (has_past) {
            y.fill(std::numeric_limits<Scalar>::quiet_NaN());
        }
        return y;
    };
    return layer;
}

}  // namespace workbook::grading
