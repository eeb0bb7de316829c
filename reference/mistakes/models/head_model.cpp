#include "reference/mistakes/models/head_model.hpp"

#include <cmath>
#include <limits>

namespace workbook::mistakes {

namespace {

// Where the mask takes query t to be.
Position masked_position(const Head& head, std::size_t t, const Decisions& decisions) {
    const auto row = static_cast<Position>(t);
    switch (decisions.mask) {
        case Mask::by_row_number: return row;
        case Mask::bottom_right: return static_cast<Position>(head.kv_len) - static_cast<Position>(head.q_len) + row;
        case Mask::first_position: return head.positions[0];
        default: return head.positions[t];
    }
}

// Whether the window of a query at position p has left the key behind.
bool is_too_old(const Head& head, Position key, Position p) {
    return head.window > 0 && key + static_cast<Position>(head.window) <= p;
}

}  // namespace

double scale_of(const Head& head, const Decisions& decisions) {
    const auto d = static_cast<double>(head.head_dim);
    const auto n_heads = static_cast<double>(head.n_heads);
    switch (decisions.scale) {
        case Scale::sqrt_head_dim: return 1 / std::sqrt(d);
        case Scale::none:
        case Scale::after_softmax: return 1;
        case Scale::sqrt_d_model: return 1 / std::sqrt(d * n_heads);
        case Scale::sqrt_n_heads: return 1 / std::sqrt(n_heads);
        case Scale::sqrt_kv_len: return 1 / std::sqrt(static_cast<double>(head.kv_len));
        case Scale::head_dim: return 1 / d;
        case Scale::inverted: return std::sqrt(d);
        case Scale::whole_sqrt_head_dim: return 1 / std::floor(std::sqrt(d));
        case Scale::sqrt_of_fixed_width: return 1 / std::sqrt(decisions.fixed_width);
        case Scale::none_for_one_query: return head.q_len == 1 ? 1 : 1 / std::sqrt(d);
    }
    return 1;
}

bool is_visible(const Head& head, std::size_t t, std::size_t j, const Decisions& decisions) {
    const auto key = static_cast<Position>(j);
    const Position p = masked_position(head, t, decisions);
    if (is_too_old(head, key, p)) {
        return false;
    }
    switch (decisions.mask) {
        case Mask::none: return true;
        case Mask::none_but_padding: return p >= 0;
        case Mask::strict: return key < p;
        case Mask::one_ahead: return key <= p + 1;
        case Mask::one_ahead_of_token: return p >= 0 && key <= p + 1;
        case Mask::reversed: return key >= p;
        case Mask::inverted: return key > p;
        case Mask::unsigned_position: return p < 0 || key <= p;
        case Mask::only_when_square: return head.q_len != head.kv_len || key <= p;
        case Mask::not_for_one_query: return head.q_len == 1 || key <= p;
        case Mask::nothing_at_zero: return p > 0 && key <= p;
        case Mask::causal:
        case Mask::by_row_number:
        case Mask::bottom_right:
        case Mask::first_position: break;
    }
    return key <= p;
}

double hidden_score(double score, const Decisions& decisions) {
    switch (decisions.hidden_score) {
        case HiddenScore::minus_infinity: return -infinity;
        case HiddenScore::finite: return decisions.finite_score;
        case HiddenScore::finite_added: return score + decisions.finite_score;
        case HiddenScore::plus_infinity: return infinity;
        case HiddenScore::one_less: return score - 1;
        case HiddenScore::weight_zeroed: return score;
    }
    return score;
}

bool has_score(const Head& head, std::size_t j, const Decisions& decisions) {
    return !(decisions.mixing == Mixing::without_last_key && j + 1 == head.kv_len) &&
           !(decisions.mixing == Mixing::without_first_key && j == 0) &&
           !(decisions.mixing == Mixing::first_keys && j >= decisions.most_keys);
}

bool is_mixed(const Head& head, std::size_t j, const Decisions& decisions) {
    return !(decisions.mixing == Mixing::without_last_value && j + 1 == head.kv_len) &&
           !(decisions.mixing == Mixing::without_first_value && j == 0);
}

}  // namespace workbook::mistakes
