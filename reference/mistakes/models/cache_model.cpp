// The layer on top of a cache: steps 2.2, 2.3 and 3.3.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "reference/mistakes/models/layer_model.hpp"

namespace workbook::mistakes {

namespace {

// What a cached call attends to: the rows of the cache after the append, or what a mistake takes for them.
KeyRows rows_to_read(const CacheState& before, const CacheState& after, const reference::Heads& heads,
                     const Decisions& decisions) {
    KeyRows rows{after.keys, after.values, after.lengths};
    const std::size_t max_len = after.keys.shape(2);
    for (std::size_t b = 0; b < rows.lengths.size(); ++b) {
        std::size_t& length = rows.lengths[b];
        switch (decisions.slots) {
            case Slots::all:
            case Slots::all_but_future:
            case Slots::all_masked: length = max_len; break;
            case Slots::before_append: length = before.lengths[b]; break;
            case Slots::before_append_on_top_of_past:
                length = before.lengths[b] > 0 ? before.lengths[b] : length;
                break;
            case Slots::length_of_first_row: length = after.lengths[0]; break;
            case Slots::length_of_longest_row: length = *std::ranges::max_element(after.lengths); break;
            case Slots::one_short: length -= length > 0 ? 1 : 0; break;
            case Slots::one_short_on_top_of_past: length -= before.lengths[b] > 0 && length > 0 ? 1 : 0; break;
            default: break;
        }
        if (length > max_len) {
            throw std::invalid_argument("a length exceeds the capacity");
        }
        for (std::size_t i = 0; i < rows.k.size(); ++i) {
            const std::size_t slot = i / rows.k.shape(3) % max_len;
            const std::size_t row_size = rows.k.size() / rows.lengths.size();
            const bool older = i / row_size == b && slot < before.lengths[b];
            rows.v.data()[i] = older && decisions.slots == Slots::values_of_this_call ? 0 : rows.v.data()[i];
            rows.k.data()[i] =
                decisions.slots == Slots::keys_of_first_row ? after.keys.data()[i % row_size] : rows.k.data()[i];
        }
    }
    if (decisions.slots == Slots::of_this_call) {
        rows = {heads.k, heads.v, Lengths(before.lengths.size(), heads.k.shape(2))};
    }
    return rows;
}

// Makes every query see the slots behind the `live` ones of its row: the order of keys does not matter.
void move_unwritten_to_front(KeyRows& rows, const Lengths& live, Positions& positions) {
    const std::size_t d = rows.k.shape(3);
    const std::size_t head_size = rows.k.shape(2) * d;
    for (std::size_t i = 0; i < rows.k.shape(0) * rows.k.shape(1); ++i) {
        const std::size_t length = live[i / rows.k.shape(1)];
        for (double* head : {rows.k.data() + i * head_size, rows.v.data() + i * head_size}) {
            std::rotate(head, head + length * d, head + head_size);
        }
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::size_t unwritten = rows.k.shape(2) - live[i / positions.shape(1)];
        positions.flat(i) += positions.flat(i) < 0 ? 0 : static_cast<Position>(unwritten);
    }
}

// Where the mask of a cached call takes the queries to be.
Positions mask_positions(const Positions& positions, const CacheState& before, const Decisions& decisions) {
    Positions used = positions;
    const auto q_len = static_cast<Position>(positions.shape(1));
    const auto max_len = static_cast<Position>(before.keys.shape(2));
    for (std::size_t b = 0; b < positions.shape(0); ++b) {
        const auto past = static_cast<Position>(before.lengths[b]);
        for (std::size_t t = 0; t < positions.shape(1); ++t) {
            const auto row = static_cast<Position>(t);
            Position& p = used(b, t);
            if (p < 0) {
                continue;
            }
            switch (decisions.cached_mask) {
                case CachedMask::absolute: break;
                case CachedMask::in_call: p = row; break;
                case CachedMask::none: p = past + q_len - 1; break;
                case CachedMask::none_on_top_of_past: p = past > 0 ? past + q_len - 1 : p; break;
                case CachedMask::strict_for_one_token: p -= q_len == 1 ? 1 : 0; break;
                case CachedMask::strict_for_one_token_on_top_of_past: p -= past > 0 && q_len == 1 ? 1 : 0; break;
                case CachedMask::one_ahead: p += 1; break;
                case CachedMask::chunk_at_first_position: p = past; break;
                case CachedMask::end_of_capacity: p = max_len - q_len + row; break;
            }
        }
    }
    return used;
}

std::size_t count_of(const Lengths& n_new, std::size_t b, std::size_t slots, Count count) {
    switch (count) {
        case Count::own: return n_new[b];
        case Count::first_row: return n_new[0];
        case Count::largest: return *std::ranges::max_element(n_new);
        case Count::one_more: return std::min(n_new[b] + 1, slots);
        case Count::one_less: return n_new[b] > 0 ? n_new[b] - 1 : 0;
    }
    return n_new[b];
}

// Appends the tokens of a forward call.
void append_call(CacheState& cache, const reference::Heads& heads, const Lengths& n_new, const Decisions& decisions) {
    const std::size_t slots = heads.k.shape(2);
    Lengths counts(n_new.size());
    for (std::size_t b = 0; b < counts.size(); ++b) {
        counts[b] = count_of(n_new, b, slots, decisions.append_count);
        counts[b] -= decisions.appends == Appends::all_but_last && counts[b] > 0 ? 1 : 0;
        counts[b] -= decisions.appends == Appends::all_but_last_of_chunk && counts[b] > 1 ? 1 : 0;
        counts[b] = decisions.appends == Appends::nothing_for_one_token && slots == 1 ? 0 : counts[b];
    }
    append(cache, heads.k, heads.v, counts, decisions);
    if (decisions.appends == Appends::twice) {
        append(cache, heads.k, heads.v, counts, decisions);
    }
}

// What a call does to the cache before anything else.
void begin_call(CacheState& cache, const Array<3>& x, const Decisions& decisions) {
    if (decisions.appends == Appends::after_reset_for_chunk && x.shape(1) > 1) {
        std::ranges::fill(cache.lengths, 0);
    }
}

// A cached call whose positions are known.
Array<3> forward_at(const Layer& layer, const Array<3>& x, CacheState& cache, const Lengths& n_new,
                    const Positions& positions, const Decisions& decisions) {
    const CacheState before = cache;
    const reference::Heads heads = project(layer, x, positions, before.lengths, decisions);
    append_call(cache, heads, n_new, decisions);
    KeyRows rows = rows_to_read(before, cache, heads, decisions);
    rows.window = layer.window;
    rows.streaming = layer.streaming;
    Positions visible = mask_positions(positions, before, decisions);
    if (decisions.slots == Slots::all_but_future) {
        move_unwritten_to_front(rows, cache.lengths, visible);
    }
    Decisions attending = decisions;
    attending.mask = decisions.slots == Slots::all ? Mask::none_but_padding : decisions.mask;
    return finished(layer, x, attend(heads.q, rows, visible, attending), decisions);
}

// Overwrites the outputs of padded slots.
void pad_output(Array<3>& y, const Array<3>& x, const Lengths& n_new, const Decisions& decisions) {
    for (std::size_t b = 0; b < y.shape(0) && decisions.padded_output != PaddedOutput::zeros; ++b) {
        for (std::size_t t = n_new[b]; t < y.shape(1); ++t) {
            for (std::size_t c = 0; c < y.shape(2); ++c) {
                y(b, t, c) = decisions.padded_output == PaddedOutput::input       ? x(b, t, c)
                             : decisions.padded_output == PaddedOutput::nan_stays ? x(b, t, c) * 0
                             : n_new[b] > 0                                       ? y(b, n_new[b] - 1, c)
                                                                                  : 0;
            }
        }
    }
}

}  // namespace

Positions call_positions(const Lengths& past, std::size_t q_len, const Decisions& decisions) {
    Positions positions({past.size(), q_len});
    for (std::size_t b = 0; b < past.size(); ++b) {
        std::size_t begin = past[b];
        switch (decisions.past) {
            case Past::own: break;
            case Past::none: begin = 0; break;
            case Past::first_row: begin = past[0]; break;
            case Past::all_rows: begin = std::accumulate(past.begin(), past.end(), std::size_t{0}); break;
            case Past::longest_row: begin = *std::ranges::max_element(past); break;
            case Past::only_for_one_token: begin = q_len == 1 ? past[b] : 0; break;
        }
        for (std::size_t t = 0; t < q_len; ++t) {
            auto position = static_cast<Position>(begin + t);
            switch (decisions.counting) {
                case Counting::past_plus_t: break;
                case Counting::one_more: position += 1; break;
                case Counting::one_more_on_top_of_past: position += begin > 0 ? 1 : 0; break;
                case Counting::one_less: position -= 1; break;
                case Counting::one_less_on_top_of_past: position -= begin > 0 ? 1 : 0; break;
                case Counting::all_at_first: position = static_cast<Position>(begin); break;
                case Counting::all_at_last: position = static_cast<Position>(begin + q_len - 1); break;
            }
            positions(b, t) = position;
        }
    }
    return positions;
}

Positions ragged_positions(const Lengths& past, const Lengths& n_new, std::size_t q_len, const Decisions& decisions) {
    Positions positions = call_positions(past, q_len, decisions);
    for (std::size_t b = 0; b < past.size(); ++b) {
        const std::size_t count = std::min(count_of(n_new, b, q_len, decisions.position_count), q_len);
        for (std::size_t t = 0; t < q_len; ++t) {
            const auto first = static_cast<Position>(past[b]);
            const auto after_first =
                static_cast<Position>(t + count) - static_cast<Position>(q_len);  // tokens at the back
            if (decisions.alignment == Alignment::bottom_right) {
                positions(b, t) = std::max<Position>(first + after_first, sees_nothing);
            } else if (decisions.alignment == Alignment::back) {
                positions(b, t) = after_first >= 0 ? first + after_first : sees_nothing;
            } else if (t >= count) {
                switch (decisions.padding) {
                    case Padding::sees_nothing:
                    case Padding::goes_on_in_forward: positions(b, t) = sees_nothing; break;
                    case Padding::goes_on: break;
                    case Padding::last_token: positions(b, t) = first + static_cast<Position>(count) - 1; break;
                    case Padding::zero: positions(b, t) = 0; break;
                }
            }
        }
    }
    return positions;
}

Array<3> forward(const Layer& layer, const Array<3>& x, CacheState& cache, const Decisions& decisions) {
    begin_call(cache, x, decisions);
    const Positions positions = call_positions(cache.lengths, x.shape(1), decisions);
    return forward_at(layer, x, cache, Lengths(x.shape(0), x.shape(1)), positions, decisions);
}

Array<3> forward(const Layer& layer, const Array<3>& x, CacheState& cache, const Lengths& n_new,
                 const Decisions& decisions) {
    begin_call(cache, x, decisions);
    const Positions positions = decisions.padding == Padding::goes_on_in_forward
                                    ? call_positions(cache.lengths, x.shape(1), decisions)
                                    : ragged_positions(cache.lengths, n_new, x.shape(1), decisions);
    Array<3> y = forward_at(layer, x, cache, n_new, positions, decisions);
    pad_output(y, x, n_new, decisions);
    return y;
}

}  // namespace workbook::mistakes
