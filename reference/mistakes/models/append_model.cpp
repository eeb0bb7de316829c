// Step 2.1.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

namespace {

bool is_refused(std::size_t past, std::size_t count, std::size_t slots, std::size_t max_len, Refusal refusal) {
    switch (refusal) {
        case Refusal::too_many: return past + count > max_len;
        case Refusal::filling: return past + count >= max_len;
        case Refusal::slots: return past + slots > max_len;
    }
    return false;
}

// The slot in which the first new token of row b is written.
std::size_t first_slot(const Lengths& past, const Lengths& n_new, std::size_t b, const Decisions& decisions) {
    switch (decisions.slot) {
        case Slot::behind_length: return past[b];
        case Slot::zero: return 0;
        case Slot::one_further: return past[b] + 1;
        case Slot::one_further_on_top_of_past: return past[b] > 0 ? past[b] + 1 : 0;
        case Slot::behind_grown_length: return past[b] + n_new[b];
        case Slot::behind_first_row: return past[0];
        case Slot::behind_grown_first_row: return b == 0 ? past[0] : past[0] + n_new[0];
        case Slot::behind_longest_row: return *std::ranges::max_element(past);
    }
    return 0;
}

// What of the call goes where, for row b.
struct Source {
    std::size_t row, n_heads, first, end, skipped;
};

Source source_of(std::size_t b, std::size_t n_heads, std::size_t past, std::size_t count, std::size_t slots,
                 Written written) {
    Source source{b, n_heads, 0, count, 0};
    switch (written) {
        case Written::first_row_everywhere: source.row = 0; break;
        case Written::first_head_only: source.n_heads = 1; break;
        case Written::padding_too: source.end = slots; break;
        case Written::last_slots: source.skipped = slots - count; break;
        case Written::all_but_first_if_empty: source.first = past == 0 ? 1 : 0; break;
        default: break;
    }
    return source;
}

// The place of a slot of row b and head h in the buffer.
double* place_of(Array<4>& buffer, std::size_t b, std::size_t h, std::size_t slot, std::size_t slots_of_call,
                 Written written) {
    if (written != Written::with_stride_of_call) {
        return &buffer(written == Written::first_row_only ? 0 : b, h, slot, 0);
    }
    const std::size_t place = ((b * buffer.shape(1) + h) * slots_of_call + slot) * buffer.shape(3);
    if (place >= buffer.size()) {
        throw std::invalid_argument("a write outside the buffer");
    }
    return buffer.data() + place;
}

void write_rows(Array<4>& buffer, const Array<4>& rows, std::size_t b, std::size_t slot, std::size_t past,
                std::size_t count, Written written) {
    const Source source = source_of(b, rows.shape(1), past, count, rows.shape(2), written);
    for (std::size_t h = 0; h < source.n_heads; ++h) {
        for (std::size_t t = source.first; t < source.end; ++t) {
            if (slot + t >= buffer.shape(2)) {
                if (t >= count) {
                    break;  // padding is written as far as it fits
                }
                throw std::invalid_argument("a write outside the slots of the row");
            }
            const std::size_t from = written == Written::first_token_everywhere ? 0 : source.skipped + t;
            std::copy_n(&rows(source.row, h, from, 0), rows.shape(3),
                        place_of(buffer, b, h, slot + t, rows.shape(2), written));
        }
    }
}

std::size_t grown_by(const Lengths& past, const Lengths& n_new, std::size_t b, std::size_t slots,
                     const Decisions& decisions) {
    switch (decisions.growth) {
        case Growth::n_new:
        case Growth::replaced: return n_new[b];
        case Growth::slots: return slots;
        case Growth::nothing: return 0;
        case Growth::one: return 1;
        case Growth::first_row_only: return b == 0 ? n_new[b] : 0;
        case Growth::all_in_first_row: return b == 0 ? std::accumulate(n_new.begin(), n_new.end(), std::size_t{0}) : 0;
        case Growth::n_new_of_first_row: return n_new[0];
        case Growth::twice: return 2 * n_new[b];
        case Growth::twice_on_top_of_past: return past[b] > 0 ? 2 * n_new[b] : n_new[b];
    }
    return 0;
}

}  // namespace

void append(CacheState& cache, const Array<4>& k, const Array<4>& v, const Lengths& n_new, const Decisions& decisions) {
    const Lengths past = cache.lengths;
    const bool swapped = decisions.written == Written::swapped;
    if (k.shape(1) != cache.keys.shape(1) || k.shape(3) != cache.keys.shape(3)) {
        throw std::invalid_argument("heads that are not the cache's");
    }
    for (std::size_t b = 0; b < past.size(); ++b) {
        if (past[b] > cache.keys.shape(2)) {
            throw std::invalid_argument("a length exceeds the capacity");
        }
        if (is_refused(past[b], n_new[b], k.shape(2), cache.keys.shape(2), decisions.refusal)) {
            throw std::length_error("refused");
        }
    }
    for (std::size_t b = 0; b < past.size(); ++b) {
        if (decisions.after_empty == AfterEmpty::append_ends && n_new[b] == 0) {
            return;
        }
        const std::size_t slot = first_slot(past, n_new, b, decisions);
        const std::size_t value_slot = decisions.written == Written::values_at_zero ? 0 : slot;
        write_rows(cache.keys, swapped ? v : k, b, slot, past[b], n_new[b], decisions.written);
        if (decisions.written != Written::keys_only) {
            write_rows(cache.values, swapped ? k : v, b, value_slot, past[b], n_new[b], decisions.written);
        }
        const std::size_t kept = decisions.growth == Growth::replaced ? 0 : past[b];
        cache.lengths[b] = kept + grown_by(past, n_new, b, k.shape(2), decisions);
    }
}

void reset(CacheState& cache, const Decisions& decisions) {
    if (decisions.reset == Reset::removes_lengths) {
        cache.lengths.clear();
    }
    for (std::size_t b = 0; b < cache.lengths.size(); ++b) {
        std::size_t& length = cache.lengths[b];
        switch (decisions.reset) {
            case Reset::lengths: length = 0; break;
            case Reset::nothing:
            case Reset::removes_lengths: break;
            case Reset::first_row_only: length = b == 0 ? 0 : length; break;
            case Reset::keeps_one: length = std::min<std::size_t>(length, 1); break;
        }
    }
}

}  // namespace workbook::mistakes
