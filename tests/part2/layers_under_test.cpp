#include "layers_under_test.hpp"

#include <algorithm>
#include <limits>

#include "inputs.hpp"
#include "oracle.hpp"

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

// Where the queries of a call sit as far as the mask is concerned.
Positions mask_positions(CacheMistake mistake, const Lengths& past, std::size_t q_len) {
    Positions positions({past.size(), q_len});
    for (std::size_t b = 0; b < past.size(); ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            std::size_t position = past[b] + t;
            if (mistake == CacheMistake::mask_by_index_in_call) {
                position = t;
            } else if (mistake == CacheMistake::no_mask_on_top_of_past && past[b] > 0) {
                position = past[b] + q_len - 1;
            } else if (mistake == CacheMistake::chunk_at_one_position) {
                position = past[b];
            } else if (mistake == CacheMistake::misses_own_token && past[b] > 0 && q_len == 1) {
                position = past[b] + t - 1;
            } else if (mistake == CacheMistake::sees_one_unwritten_slot) {
                position = past[b] + t + 1;
            }
            positions(b, t) = static_cast<Position>(position);
        }
    }
    return positions;
}

void copy_first_row_to_all(Array<4>& rows) {
    const std::size_t row_size = rows.shape(1) * rows.shape(2) * rows.shape(3);
    for (std::size_t i = row_size; i < rows.size(); ++i) {
        rows.data()[i] = rows.data()[i % row_size];
    }
}

void erase_slots_before(Array<4>& rows, const Lengths& past) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t slot = i / rows.shape(3) % rows.shape(2);
        const std::size_t b = i / (rows.shape(1) * rows.shape(2) * rows.shape(3));
        rows.data()[i] = slot < past[b] ? 0 : rows.data()[i];
    }
}

Tensor<3> forward_cached(CacheMistake mistake, const AttentionConfig& config, const AttentionWeights& weights,
                         const Tensor<3>& x, KVCache& cache) {
    const std::size_t q_len = x.shape(1);
    const Lengths past = cache.lengths();
    const bool restarts = mistake == CacheMistake::positions_restart;
    const Positions rotary = mask_positions(CacheMistake::none, restarts ? Lengths(past.size(), 0) : past, q_len);
    const reference::Heads heads = reference::project(config, weights, to_double(x), rotary);
    const bool drops_last = mistake == CacheMistake::last_token_not_appended && q_len > 1;
    cache.append(to_scalar(heads.k), to_scalar(heads.v), Lengths(past.size(), drops_last ? q_len - 1 : q_len));

    // All slots, unwritten ones too: the positions say which of them a query sees.
    Array<4> keys = to_double(cache.keys());
    Array<4> values = to_double(cache.values());
    if (mistake == CacheMistake::keys_of_first_row) {
        copy_first_row_to_all(keys);
    }
    if (mistake == CacheMistake::values_of_this_call_only) {
        erase_slots_before(values, past);
    }
    const Array<4> mixed = reference::attend(heads.q, keys, values, mask_positions(mistake, past, q_len));
    Tensor<3> y = to_scalar(reference::matmul(reference::merge_heads(mixed), weights.wo));
    const bool has_past = std::ranges::any_of(past, [](std::size_t length) { return length > 0; });
    if (mistake == CacheMistake::nan_on_top_of_past && has_past) {
        y.fill(std::numeric_limits<Scalar>::quiet_NaN());
    }
    return y;
}

}  // namespace

LayerUnderTest layer_with(CacheMistake mistake, const AttentionConfig& config, unsigned seed, double output_scale) {
    AttentionWeights weights = random_weights(config, seed);
    weights.wo *= static_cast<Scalar>(output_scale);
    return {config, [=](const Tensor<3>& x) { return to_scalar(reference::forward(config, weights, to_double(x))); },
            [=](const Tensor<3>& x, KVCache& cache) { return forward_cached(mistake, config, weights, x, cache); }};
}

}  // namespace workbook::grading
