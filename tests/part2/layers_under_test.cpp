#include "layers_under_test.hpp"

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
Positions mask_positions(CacheMistake mistake, std::size_t batch, std::size_t q_len, std::size_t past) {
    Positions positions({batch, q_len});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            std::size_t position = past + t;
            if (mistake == CacheMistake::mask_by_index_in_call) {
                position = t;
            } else if (mistake == CacheMistake::no_mask_on_top_of_past && past > 0) {
                position = past + q_len - 1;
            } else if (mistake == CacheMistake::misses_own_token && past > 0) {
                position = past + t - 1;
            } else if (mistake == CacheMistake::sees_one_unwritten_slot) {
                position = past + t + 1;
            }
            positions(b, t) = static_cast<Position>(position);
        }
    }
    return positions;
}

// The first `count` slots of every row and head.
Array<4> first_slots(const Tensor<4>& buffer, std::size_t count) {
    Array<4> rows({buffer.shape(0), buffer.shape(1), count, buffer.shape(3)});
    for (std::size_t b = 0; b < rows.shape(0); ++b) {
        for (std::size_t h = 0; h < rows.shape(1); ++h) {
            for (std::size_t j = 0; j < count; ++j) {
                for (std::size_t c = 0; c < rows.shape(3); ++c) {
                    rows(b, h, j, c) = buffer(b, h, j, c);
                }
            }
        }
    }
    return rows;
}

void copy_first_row_to_all(Array<4>& rows) {
    const std::size_t row_size = rows.shape(1) * rows.shape(2) * rows.shape(3);
    for (std::size_t i = row_size; i < rows.size(); ++i) {
        rows.data()[i] = rows.data()[i % row_size];
    }
}

void erase_slots_before(Array<4>& rows, std::size_t past) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t slot = i / rows.shape(3) % rows.shape(2);
        rows.data()[i] = slot < past ? 0 : rows.data()[i];
    }
}

Tensor<3> forward_cached(CacheMistake mistake, const AttentionConfig& config, const AttentionWeights& weights,
                         const Tensor<3>& x, KVCache& cache) {
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    const std::size_t past = batch == 0 ? 0 : cache.length(0);
    Positions positions = mask_positions(CacheMistake::none, batch, q_len, past);
    if (mistake == CacheMistake::positions_restart) {
        positions = mask_positions(CacheMistake::none, batch, q_len, 0);
    }
    const reference::Heads heads = reference::project(config, weights, to_double(x), positions);
    const bool drops_last = mistake == CacheMistake::last_token_not_appended && q_len > 1;
    cache.append(to_scalar(heads.k), to_scalar(heads.v), Lengths(batch, drops_last ? q_len - 1 : q_len));

    const bool reads_beyond = mistake == CacheMistake::sees_one_unwritten_slot;
    const std::size_t visible = std::min(past + q_len + (reads_beyond ? 1U : 0U), cache.max_len());
    Array<4> keys = first_slots(cache.keys(), visible);
    Array<4> values = first_slots(cache.values(), visible);
    if (mistake == CacheMistake::keys_of_first_row) {
        copy_first_row_to_all(keys);
    }
    if (mistake == CacheMistake::values_of_this_call_only) {
        erase_slots_before(values, past);
    }
    const Array<4> mixed = reference::attend(heads.q, keys, values, mask_positions(mistake, batch, q_len, past));
    return to_scalar(reference::matmul(reference::merge_heads(mixed), weights.wo));
}

}  // namespace

LayerUnderTest layer_with(CacheMistake mistake, const AttentionConfig& config, unsigned seed) {
    const AttentionWeights weights = random_weights(config, seed);
    return {config, [=](const Tensor<3>& x) { return to_scalar(reference::forward(config, weights, to_double(x))); },
            [=](const Tensor<3>& x, KVCache& cache) { return forward_cached(mistake, config, weights, x, cache); }};
}

}  // namespace workbook::grading
