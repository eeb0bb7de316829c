// Steps 1.3, 1.4 and 3.2; step streaming.1 as far as its answers are theirs. B rows, T queries, S keys, H heads, d head
// width.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/mistakes/models/head_model.hpp"
#include "reference/mistakes/models/model.hpp"
#include "reference/mistakes/models/streaming_model.hpp"

namespace workbook::mistakes {

namespace {

// The call as one batch row sees it.
class RowCall {
public:
    RowCall(const Array<4>& q, const KeyRows& rows, const Positions& positions, std::size_t b,
            const Decisions& decisions)
        : q_(q),
          rows_(rows),
          decisions_(decisions),
          q_row_(decisions.queries_of == Row::own ? b : 0),
          k_row_(decisions.keys_of == Row::own ? b : 0),
          v_row_(decisions.values_of == Row::own ? b : 0),
          head_{q.shape(2), rows.lengths[k_row_], q.shape(3), q.shape(1), rows.window, {}} {
        if (k_row_ != v_row_ && rows.lengths[k_row_] != rows.lengths[v_row_]) {
            throw std::invalid_argument("keys and values of different lengths");
        }
        const auto of_row = positions_of_row(positions, decisions.positions_of == Row::own ? b : 0);
        head_.positions.assign(of_row.begin(), of_row.end());
    }

    // Weights of every head, [H][T, S].
    [[nodiscard]] std::vector<Array<2>> weights() const {
        std::vector<Array<2>> scores;
        for (std::size_t h = 0; h < head_.n_heads; ++h) {
            scores.push_back(scores_of(h));
        }
        if (decisions_.softmax_axis == SoftmaxAxis::heads) {
            return softmax_over_heads(scores);
        }
        for (std::size_t h = 0; h < head_.n_heads; ++h) {
            scores[h] = softmax_rows(scores[h], decisions_);
            zero_hidden_weights(h, scores[h]);
        }
        return scores;
    }

    // Mixes with the weights of head h: [T, d] of the output.
    void mix(std::size_t h, const Array<2>& weights, Array<4>& out, std::size_t b) const {
        const bool turned = decisions_.mixing == Mixing::transposed_weights && head_.q_len == head_.kv_len;
        const double scale =
            decisions_.scale == Scale::after_softmax ? 1 / std::sqrt(static_cast<double>(head_.head_dim)) : 1;
        for (std::size_t t = 0; t < head_.q_len; ++t) {
            for (std::size_t c = 0; c < head_.head_dim; ++c) {
                double mixed = t > 0 && decisions_.mixing == Mixing::carried_over ? out(b, h, t - 1, c) : 0;
                for (std::size_t j = 0; j < head_.kv_len; ++j) {
                    const double weight = turned ? weights(j, t) : weights(t, j);
                    // A weight of exactly 0 hides even NaN, unless unwritten slots are read.
                    const bool counts = is_mixed(head_, j, decisions_) && (weight != 0 || reads_unwritten());
                    mixed = weight == anything || mixed == anything ? anything
                            : counts                                ? mixed + weight * value(h, j, c)
                                                                    : mixed;
                }
                out(b, h, t, c) = mixed * scale;
            }
        }
    }

private:
    [[nodiscard]] bool reads_unwritten() const {
        return decisions_.slots == Slots::all_masked || decisions_.slots == Slots::length_of_longest_row;
    }

    [[nodiscard]] std::size_t group_size() const { return head_.n_heads / rows_.k.shape(1); }

    [[nodiscard]] std::size_t key_head(std::size_t h) const {
        return std::min(kv_head_of(h, head_.n_heads, rows_.k.shape(1), decisions_), rows_.k.shape(1) - 1);
    }

    [[nodiscard]] std::size_t value_head(std::size_t h) const {
        switch (decisions_.value_head) {
            case ValueHead::same: return key_head(h);
            case ValueHead::zero: return 0;
            case ValueHead::modulo: return h % rows_.k.shape(1);
        }
        return 0;
    }

    [[nodiscard]] double value(std::size_t h, std::size_t j, std::size_t c) const {
        const bool keys = decisions_.mixing == Mixing::keys || decisions_.mixing == Mixing::swapped;
        return keys ? rows_.k(v_row_, value_head(h), j, c) : rows_.v(v_row_, value_head(h), j, c);
    }

    [[nodiscard]] double dot(std::size_t h, std::size_t t, std::size_t j) const {
        const std::size_t d = head_.head_dim;
        const std::size_t used = decisions_.mixing == Mixing::without_last_channel ? d - 1 : d;
        const bool swapped = decisions_.mixing == Mixing::swapped;
        const bool shared = decisions_.stacking == Stacking::queries_of_first_head;
        const std::size_t query_head = shared ? h / group_size() * group_size() : h;
        double sum = 0;
        for (std::size_t c = 0; c < used; ++c) {
            const double key = swapped ? rows_.v(k_row_, key_head(h), j, c) : rows_.k(k_row_, key_head(h), j, c);
            sum += q_(q_row_, query_head, t, c) * key;
        }
        return sum;
    }

    // The head as its mask sees it, when the rows of a group are stacked in a wrong order.
    [[nodiscard]] bool visible(std::size_t h, std::size_t t, std::size_t j) const {
        const std::size_t stacked = h % group_size() * head_.q_len + t;  // the row in [G·T, d]
        switch (decisions_.stacking) {
            case Stacking::tokens_then_heads: return is_visible(head_, stacked / group_size(), j, decisions_);
            case Stacking::first_head_only: return stacked >= head_.q_len || is_visible(head_, t, j, decisions_);
            case Stacking::others_at_zero: return stacked < head_.q_len ? is_visible(head_, t, j, decisions_) : j == 0;
            default: return is_visible(head_, t, j, decisions_);
        }
    }

    [[nodiscard]] Array<2> scores_of(std::size_t h) const {
        Array<2> scores({head_.q_len, head_.kv_len});
        const bool turned = decisions_.mixing == Mixing::transposed_scores && head_.q_len == head_.kv_len;
        for (std::size_t t = 0; t < head_.q_len; ++t) {
            for (std::size_t j = 0; j < head_.kv_len; ++j) {
                const double score = (turned ? dot(h, j, t) : dot(h, t, j)) * scale_of(head_, decisions_);
                scores(t, j) = !has_score(head_, j, decisions_) ? -infinity
                               : visible(h, t, j)               ? score + (plus_one() ? 1 : 0)
                               : plus_one()                     ? score
                                                                : hidden_score(score, decisions_);
            }
        }
        return scores;
    }

    [[nodiscard]] bool plus_one() const { return decisions_.hidden_score == HiddenScore::one_less; }

    void zero_hidden_weights(std::size_t h, Array<2>& weights) const {
        if (decisions_.hidden_score != HiddenScore::weight_zeroed) {
            return;
        }
        for (std::size_t t = 0; t < head_.q_len; ++t) {
            for (std::size_t j = 0; j < head_.kv_len; ++j) {
                weights(t, j) = visible(h, t, j) ? weights(t, j) : 0;
            }
        }
    }

    [[nodiscard]] std::vector<Array<2>> softmax_over_heads(std::vector<Array<2>> scores) const {
        Array<2> of_one_pair({1, head_.n_heads});
        for (std::size_t t = 0; t < head_.q_len; ++t) {
            for (std::size_t j = 0; j < head_.kv_len; ++j) {
                for (std::size_t h = 0; h < head_.n_heads; ++h) {
                    of_one_pair(0, h) = scores[h](t, j);
                }
                const Array<2> weights = softmax_rows(of_one_pair, decisions_);  // one row: its heads
                for (std::size_t h = 0; h < head_.n_heads; ++h) {
                    scores[h](t, j) = weights(0, h);
                }
            }
        }
        return scores;
    }

    const Array<4>& q_;
    const KeyRows& rows_;
    const Decisions& decisions_;
    std::size_t q_row_, k_row_, v_row_;
    Head head_;
};

// The same elements in another order: [B, T, H, d] written where [B, H, T, d] belongs.
Array<4> tokens_first(const Array<4>& out) {
    Array<4> moved(out.shape());
    double* next = moved.data();
    for (std::size_t b = 0; b < out.shape(0); ++b) {
        for (std::size_t t = 0; t < out.shape(2); ++t) {
            for (std::size_t h = 0; h < out.shape(1); ++h) {
                next = std::copy_n(&out(b, h, t, 0), out.shape(3), next);
            }
        }
    }
    return moved;
}

// One head overwrites the others, or one row: what is assigned to too large a view is written everywhere in it.
Array<4> overwritten(const Array<4>& out, bool to_heads) {
    Array<4> same(out.shape());
    const std::size_t block = out.shape(2) * out.shape(3);
    for (std::size_t b = 0; b < out.shape(0); ++b) {
        for (std::size_t h = 0; h < out.shape(1) && block > 0; ++h) {
            const double* last = to_heads ? &out(b, out.shape(1) - 1, 0, 0) : &out(out.shape(0) - 1, h, 0, 0);
            std::copy_n(last, block, &same(b, h, 0, 0));
        }
    }
    return same;
}

Array<4> laid_out(Array<4> out, const Decisions& decisions) {
    switch (decisions.output_layout) {
        case OutputLayout::heads_first: return out;
        case OutputLayout::tokens_first: return tokens_first(out);
        case OutputLayout::last_head_everywhere: return overwritten(out, true);
        case OutputLayout::last_row_everywhere: return overwritten(out, false);
    }
    return out;
}

// Head g of group kv lands at g·Hkv + kv.
Array<4> member_major(const Array<4>& out, std::size_t n_kv_heads) {
    Array<4> moved(out.shape());
    const std::size_t group_size = out.shape(1) / n_kv_heads;
    const std::size_t block = out.shape(2) * out.shape(3);
    for (std::size_t b = 0; b < out.shape(0); ++b) {
        for (std::size_t h = 0; h < out.shape(1) && block > 0; ++h) {
            const std::size_t to = h % group_size * n_kv_heads + h / group_size;
            std::copy_n(&out(b, h, 0, 0), block, &moved(b, to, 0, 0));
        }
    }
    return moved;
}

}  // namespace

Array<4> attend(const Array<4>& q, const KeyRows& rows, const Positions& positions, const Decisions& decisions) {
    if (rows.streaming && decisions.streaming != Streaming::right) {
        return stream(q, rows, positions, decisions);
    }
    if (q.shape(3) != rows.k.shape(3)) {
        throw std::invalid_argument("heads of different widths");
    }
    Array<4> out(q.shape());
    out.fill(0);
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        if (decisions.after_empty == AfterEmpty::rows_end && rows.lengths[b] == 0) {
            break;
        }
        const RowCall call(q, rows, positions, b, decisions);
        const std::vector<Array<2>> weights = call.weights();
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            call.mix(h, weights[h], out, b);
        }
    }
    if (decisions.group_order == GroupOrder::member_major) {
        out = member_major(out, rows.k.shape(1));
    }
    return laid_out(std::move(out), decisions);
}

std::size_t kv_head_of(std::size_t query_head, std::size_t n_heads, std::size_t n_kv_heads,
                       const Decisions& decisions) {
    if (n_kv_heads == 0 || n_heads < n_kv_heads) {
        throw std::invalid_argument("kv_head_of: " + std::to_string(n_heads) + " heads cannot share " +
                                    std::to_string(n_kv_heads));
    }
    const std::size_t group_size = n_heads / n_kv_heads;
    switch (decisions.head_map) {
        case HeadMap::group: return query_head / group_size;
        case HeadMap::modulo: return query_head % n_kv_heads;
        case HeadMap::divide_by_kv: return query_head / n_kv_heads;
        case HeadMap::modulo_group: return query_head % group_size;
        case HeadMap::direct: return query_head;
        case HeadMap::zero: return 0;
        case HeadMap::zero_without_groups:
            if (group_size != 1) {
                throw std::invalid_argument("heads form groups");
            }
            return 0;
        case HeadMap::reversed: return n_kv_heads - 1 - query_head / group_size;
        case HeadMap::one_off: return (query_head + 1) / group_size;
    }
    return 0;
}

}  // namespace workbook::mistakes
