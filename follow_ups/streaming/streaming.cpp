// Given code of the follow-up: the layer.
#include "follow_ups/streaming/streaming.hpp"

namespace workbook::streaming {

Tensor<3> forward(const Attention& layer, const Tensor<3>& x, KVCache& cache, const Lengths& n_new) {
    expect_forward_fits(layer.config(), x, cache, n_new);
    const Positions positions = ragged_positions(cache.lengths(), n_new, x.shape(1));  // [B, T]
    const Projected projected = layer.project(x, positions);
    cache.append(projected.k, projected.v, n_new);
    const Tensor<4> context = attend(projected.q, cache.live(), positions);  // [B, H, T, d]
    return linear(merge_heads(context), layer.weights().wo);                 // [B, T, D]
}

}  // namespace workbook::streaming
