// Steps 1.1 and 1.5.
#include "reference/mistakes/models/layer_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace workbook::mistakes {

namespace {

// What does not multiply stays as it is.
Matrix transposed(const Matrix& w) {
    return w.shape(0) == w.shape(1) ? Matrix(xt::transpose(w)) : w;
}

// The weights that queries, keys, values and outputs are really made with.
AttentionWeights used_weights(const AttentionWeights& weights, const Decisions& decisions) {
    AttentionWeights used = weights;
    const bool equal_widths = weights.wq.shape() == weights.wk.shape();
    switch (decisions.weights) {
        case Weights::queries_from_wk: used.wq = equal_widths ? weights.wk : weights.wq; break;
        case Weights::keys_from_wq: used.wk = equal_widths ? weights.wq : weights.wk; break;
        case Weights::keys_from_wv: used.wk = weights.wv; break;
        case Weights::values_from_wk: used.wv = weights.wk; break;
        case Weights::swapped_wk_wv: std::swap(used.wk, used.wv); break;
        case Weights::swapped_wq_wk:
            if (equal_widths) {
                std::swap(used.wq, used.wk);
            }
            break;
        case Weights::wq_transposed: used.wq = transposed(weights.wq); break;
        case Weights::wk_transposed: used.wk = transposed(weights.wk); break;
        case Weights::wv_transposed: used.wv = transposed(weights.wv); break;
        case Weights::wo_transposed: used.wo = transposed(weights.wo); break;
        default: break;
    }
    return used;
}

Position summed(const Positions& positions, std::size_t t) {
    Position sum = 0;
    for (std::size_t b = 0; b < positions.shape(0); ++b) {
        sum += std::max<Position>(positions(b, t), 0);
    }
    return sum;
}

Positions rotary_positions(const Positions& positions, const Lengths& past, const Decisions& decisions) {
    Positions used = positions;
    for (std::size_t b = 0; b < positions.shape(0); ++b) {
        for (std::size_t t = 0; t < positions.shape(1); ++t) {
            const bool real = positions(b, t) >= 0;
            switch (decisions.rotary_position) {
                case RotaryPosition::absolute: break;
                case RotaryPosition::in_call: used(b, t) = real ? static_cast<Position>(t) : positions(b, t); break;
                case RotaryPosition::of_first_row: used(b, t) = positions(0, t); break;
                case RotaryPosition::one_more_on_top_of_past:
                    used(b, t) += !past.empty() && past[b] > 0 && real ? 1 : 0;
                    break;
                case RotaryPosition::summed_over_rows: used(b, t) = real ? summed(positions, t) : sees_nothing; break;
            }
        }
    }
    return used;
}

Array<4> rotated_if(bool wanted, Array<4> heads, const Positions& positions, const Layer& layer) {
    return wanted ? reference::rotate(std::move(heads), positions, layer.config.rope_base) : heads;
}

Positions uncached_positions(std::size_t batch, std::size_t q_len, const Decisions& decisions) {
    Positions positions({batch, q_len});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            const std::size_t position = decisions.start_position == StartPosition::one                 ? t + 1
                                         : decisions.start_position == StartPosition::all_zero          ? 0
                                         : decisions.start_position == StartPosition::all_last          ? q_len - 1
                                         : decisions.start_position == StartPosition::running_over_rows ? b * q_len + t
                                                                                                        : t;
            positions(b, t) = static_cast<Position>(position);
        }
    }
    return positions;
}

}  // namespace

reference::Heads project(const Layer& layer, const Array<3>& x, const Positions& positions, const Lengths& past,
                         const Decisions& decisions) {
    const AttentionWeights weights = used_weights(layer.weights, decisions);
    const Positions rotary = rotary_positions(positions, past, decisions);
    const auto heads = [&](const Matrix& w, std::size_t n_heads) {
        if (w.shape(1) % n_heads != 0) {
            throw std::invalid_argument("heads of different widths");
        }
        return split_heads(reference::matmul(x, w), n_heads, decisions);
    };
    const std::size_t n_kv_heads =
        decisions.kv_heads == KvHeads::as_queries ? layer.config.n_heads : layer.config.n_kv_heads;
    const Rotation rotation = decisions.rotation;
    const bool queries = rotation != Rotation::nothing && rotation != Rotation::keys_only;
    const bool keys = rotation != Rotation::nothing && rotation != Rotation::queries_only;
    Array<4> q = rotated_if(queries, heads(weights.wq, layer.config.n_heads), rotary, layer);
    Array<4> k = rotated_if(keys, heads(weights.wk, n_kv_heads), rotary, layer);
    Array<4> v = rotated_if(rotation == Rotation::values_too, heads(weights.wv, n_kv_heads), rotary, layer);
    const bool again = rotation == Rotation::twice;
    return {rotated_if(again, std::move(q), rotary, layer), rotated_if(again, std::move(k), rotary, layer),
            std::move(v)};
}

Array<3> finished(const Layer& layer, const Array<3>& x, const Array<4>& mixed, const Decisions& decisions) {
    Array<3> y = merge_heads(mixed, decisions);
    const Matrix wo = used_weights(layer.weights, decisions).wo;
    const int times = decisions.weights == Weights::wo_missing ? 0 : decisions.weights == Weights::wo_twice ? 2 : 1;
    for (int i = 0; i < times; ++i) {
        y = reference::matmul(y, wo);
    }
    for (std::size_t i = 0; i < y.size() && decisions.residual == Residual::input; ++i) {
        y.data()[i] += x.data()[i];
    }
    return y;
}

Array<4> split_heads(const Array<3>& x, std::size_t heads, const Decisions& decisions) {
    const std::size_t batch = x.shape(0);
    const std::size_t q_len = x.shape(1);
    const std::size_t head_dim = x.shape(2) / heads;
    Array<4> split({batch, heads, q_len, head_dim});
    for (std::size_t i = 0; i < split.size(); ++i) {  // i is the place of (b, h, t, c)
        const std::size_t c = i % head_dim;
        const std::size_t t = i / head_dim % q_len;
        const std::size_t h = i / (head_dim * q_len) % heads;
        const std::size_t b = i / (head_dim * q_len * heads);
        const std::size_t in_rows = (h * batch + b) * q_len + t;
        switch (decisions.split) {
            case HeadLayout::blocks: split.data()[i] = x(b, t, h * head_dim + c); break;
            case HeadLayout::same_memory: split.data()[i] = x.data()[i]; break;
            case HeadLayout::interleaved: split.data()[i] = x(b, t, c * heads + h); break;
            case HeadLayout::batch_is_time:
                split.data()[i] = x.data()[(t * batch + b) * x.shape(2) + h * head_dim + c];
                break;
            case HeadLayout::heads_before_rows: split.data()[in_rows * head_dim + c] = x(b, t, h * head_dim + c); break;
        }
    }
    return split;
}

Array<3> merge_heads(const Array<4>& x, const Decisions& decisions) {
    const std::size_t batch = x.shape(0);
    const std::size_t heads = x.shape(1);
    const std::size_t q_len = x.shape(2);
    const std::size_t head_dim = x.shape(3);
    Array<3> merged({batch, q_len, heads * head_dim});
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = i % head_dim;
        const std::size_t t = i / head_dim % q_len;
        const std::size_t h = i / (head_dim * q_len) % heads;
        const std::size_t b = i / (head_dim * q_len * heads);
        const std::size_t in_rows = (h * batch + b) * q_len + t;
        switch (decisions.merge) {
            case HeadLayout::blocks: merged(b, t, h * head_dim + c) = x.data()[i]; break;
            case HeadLayout::same_memory: merged.data()[i] = x.data()[i]; break;
            case HeadLayout::interleaved: merged(b, t, c * heads + h) = x.data()[i]; break;
            case HeadLayout::batch_is_time:
                merged.data()[(t * batch + b) * merged.shape(2) + h * head_dim + c] = x.data()[i];
                break;
            case HeadLayout::heads_before_rows:
                merged(b, t, h * head_dim + c) = x.data()[in_rows * head_dim + c];
                break;
        }
    }
    return merged;
}

reference::Heads project(const Layer& layer, const Array<3>& x, const Positions& positions,
                         const Decisions& decisions) {
    return project(layer, x, positions, {}, decisions);
}

Array<3> forward(const Layer& layer, const Array<3>& x, const Decisions& decisions) {
    const Positions positions = uncached_positions(x.shape(0), x.shape(1), decisions);
    const reference::Heads heads = project(layer, x, positions, decisions);
    KeyRows rows{heads.k, heads.v, Lengths(x.shape(0), x.shape(1))};
    rows.streaming = layer.streaming;
    return finished(layer, x, attend(heads.q, rows, positions, decisions), decisions);
}

}  // namespace workbook::mistakes
