// Step streaming.1: one query at a time. S keys, d head width.
#include "reference/mistakes/models/streaming_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/mistakes/models/head_model.hpp"

namespace workbook::mistakes {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::size_t whole_tiles(std::size_t keys, std::size_t tile) {
    return keys / tile * tile;
}

std::size_t begun_tiles(std::size_t keys, std::size_t tile) {
    return whole_tiles(keys + tile - 1, tile);
}

std::size_t keys_up_to(Position position, std::size_t kv_len) {
    return position < 0 ? 0 : std::min(kv_len, static_cast<std::size_t>(position) + 1);
}

// How many keys a query mixes that should mix the first `own`; some query of its row sees `latest`.
std::size_t keys_mixed(std::size_t own, std::size_t latest, std::size_t kv_len, const Decisions& decisions) {
    const std::size_t tile = decisions.tile;
    switch (decisions.streaming) {
        case Streaming::last_tile_skipped: return std::min(own, whole_tiles(latest, tile));
        case Streaming::minus_10000_for_hidden:
        case Streaming::last_tile_of_zeros: return latest;
        case Streaming::own_tile_skipped: return whole_tiles(own, tile);
        case Streaming::tile_not_masked: return std::min(kv_len, begun_tiles(own, tile));
        case Streaming::tile_not_masked_up_to_latest: return std::min(latest, begun_tiles(own, tile));
        default: return own;
    }
}

// Whether infinity minus infinity comes up in the query.
bool is_nan(std::size_t own, std::size_t latest, const Decisions& decisions) {
    switch (decisions.streaming) {
        case Streaming::minus_infinity_at_start: return own == 0;
        case Streaming::minus_infinity_beside_others: return own == 0 && latest > 0;
        case Streaming::maximum_of_hidden_tile: return begun_tiles(own, decisions.tile) < latest;
        case Streaming::factor_swapped_from_start: return own > 0;
        default: return false;
    }
}

// The pass over the keys.
class Pass {
public:
    Pass(std::size_t head_dim, const Decisions& decisions) : choice_(decisions.streaming), output_(head_dim, 0) {}

    // Scores and values of the next tile, [n] and [n][d].
    void take(const std::vector<double>& scores, const std::vector<const double*>& values) {
        const double highest = *std::ranges::max_element(scores);
        const bool of_tile = choice_ == Streaming::maximum_of_tile || choice_ == Streaming::maximum_of_hidden_tile;
        const double raised = of_tile ? highest : std::max(maximum_, highest);
        rescale(raised);
        maximum_ = raised;
        const double before = choice_ == Streaming::softmax_of_every_tile ? 0 : sum_;
        std::vector<double> mixed(output_.size(), 0);
        double added = 0;
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const double weight = std::exp(scores[j] - raised);
            added += weight;
            for (std::size_t c = 0; c < mixed.size(); ++c) {
                mixed[c] += weight * values[j][c];
            }
        }
        sum_ = before + added;
        for (std::size_t c = 0; c < mixed.size(); ++c) {
            output_[c] = choice_ == Streaming::softmax_of_every_tile   ? output_[c] + mixed[c] / added
                         : choice_ == Streaming::divided_in_every_tile ? (output_[c] + mixed[c]) / sum_
                                                                       : output_[c] + mixed[c];
        }
        is_first_ = false;
    }

    [[nodiscard]] double result(std::size_t c) const {
        const bool divided = choice_ == Streaming::divided_in_every_tile || choice_ == Streaming::softmax_of_every_tile;
        return divided ? output_[c] : output_[c] / sum_;
    }

private:
    void rescale(double raised) {
        const bool swapped = choice_ == Streaming::factor_swapped;
        const double factor = is_first_ ? 0 : std::exp(swapped ? raised - maximum_ : maximum_ - raised);
        const bool nothing = choice_ == Streaming::nothing_rescaled || choice_ == Streaming::maximum_of_tile ||
                             choice_ == Streaming::maximum_of_hidden_tile ||
                             choice_ == Streaming::softmax_of_every_tile;
        sum_ *= nothing || choice_ == Streaming::sum_not_rescaled ? 1 : factor;
        for (double& element : output_) {
            element *= nothing || choice_ == Streaming::output_not_rescaled ? 1 : factor;
        }
    }

    Streaming choice_;
    std::vector<double> output_;  // [d], not divided
    double sum_ = 0;
    double maximum_ = std::numeric_limits<double>::lowest();
    bool is_first_ = true;
};

// One query of a call: how many keys it sees, and how many the last and the first query of its row see.
struct Query {
    std::size_t b, h, t, g, own, latest, earliest;
};

Query query_at(std::size_t place, const Array<4>& q, const KeyRows& rows, const Positions& positions) {
    const std::size_t t = place % q.shape(2);
    const std::size_t h = place / q.shape(2) % q.shape(1);
    const std::size_t b = place / q.shape(2) / q.shape(1);
    const auto of_row = positions_of_row(positions, b);
    const auto [first, last] = std::ranges::minmax(of_row);
    const auto seen_by = [&](Position position) { return keys_up_to(position, rows.lengths[b]); };
    return {b, h, t, h / (q.shape(1) / rows.k.shape(1)), seen_by(of_row[t]), seen_by(last), seen_by(first)};
}

double score_of(const Query& at, std::size_t j, const Array<4>& q, const KeyRows& rows, const Decisions& decisions) {
    const Streaming choice = decisions.streaming;
    if (choice == Streaming::minus_10000_for_hidden && j >= at.own) {
        return -10000;
    }
    if (choice == Streaming::last_tile_of_zeros && j >= at.own) {
        return -infinity;
    }
    double dot = 0;
    for (std::size_t c = 0; c < q.shape(3); ++c) {
        dot += q(at.b, at.h, at.t, c) * rows.k(at.b, at.g, j, c);
    }
    const Head head{q.shape(2), rows.lengths[at.b], q.shape(3), q.shape(1), rows.window, {}};
    return dot * scale_of(head, decisions);
}

// Keys of 0 behind the last one that a query of the row sees.
std::size_t zero_keys(const Query& at, const Decisions& decisions) {
    const bool none_is_hidden = at.earliest == at.latest;
    const bool counted = decisions.streaming == Streaming::last_tile_of_zeros ||
                         (decisions.streaming == Streaming::last_tile_of_zeros_unmasked && none_is_hidden);
    return counted ? begun_tiles(at.latest, decisions.tile) - at.latest : 0;
}

}  // namespace

Array<4> stream(const Array<4>& q, const KeyRows& rows, const Positions& positions, const Decisions& decisions) {
    const std::vector<double> zero(q.shape(3), 0);
    Array<4> out(q.shape());
    for (std::size_t place = 0; place < q.shape(0) * q.shape(1) * q.shape(2); ++place) {
        const Query at = query_at(place, q, rows, positions);
        const std::size_t mixed = keys_mixed(at.own, at.latest, rows.lengths[at.b], decisions);
        const std::size_t end = mixed + zero_keys(at, decisions);
        Pass pass(q.shape(3), decisions);
        for (std::size_t first = 0; first < end; first += decisions.tile) {
            std::vector<double> scores;
            std::vector<const double*> values;
            for (std::size_t j = first; j < std::min(end, first + decisions.tile); ++j) {
                scores.push_back(j < mixed ? score_of(at, j, q, rows, decisions) : 0);
                values.push_back(j < mixed ? &rows.v(at.b, at.g, j, 0) : zero.data());
            }
            pass.take(scores, values);
        }
        for (std::size_t c = 0; c < q.shape(3); ++c) {
            out(at.b, at.h, at.t, c) =
                is_nan(at.own, at.latest, decisions)                                                  ? not_a_number
                : mixed == 0 || (at.own == 0 && decisions.streaming == Streaming::last_tile_of_zeros) ? 0
                                                                                                      : pass.result(c);
        }
    }
    return out;
}

}  // namespace workbook::mistakes
