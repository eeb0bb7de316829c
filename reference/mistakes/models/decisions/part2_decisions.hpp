/// @file
/// Decisions of part 2: the cache and calls on top of it.
#pragma once

namespace workbook::mistakes {

/// 2.1 Where a row's new tokens are written.
enum class Slot {
    behind_length,
    zero,                        ///< always from slot 0
    one_further,                 ///< one slot is left out
    one_further_on_top_of_past,  ///< one slot is left out when the row is not empty
    behind_grown_length,         ///< after the length that already counts the new tokens
    behind_first_row,            ///< after the length of row 0
    behind_grown_first_row,      ///< after the length of row 0, which grows when row 0 is written
    behind_longest_row,
};

/// 2.1 By how much a row's length grows.
enum class Growth {
    n_new,
    slots,
    nothing,
    first_row_only,
    all_in_first_row,  ///< row 0 grows by the tokens of all rows
    n_new_of_first_row,
    one,
    replaced,  ///< the length is set to the number of new tokens
    twice,
    twice_on_top_of_past,
};

/// 2.1 What is written.
enum class Written {
    keys_and_values,
    keys_only,
    swapped,
    values_at_zero,  ///< values always from slot 0
    first_head_only,
    first_token_everywhere,  ///< a view assignment that broadcasts
    last_slots,              ///< the last n_new of the T slots, as with padding in front
    first_row_everywhere,    ///< the tokens of row 0 in every row
    padding_too,             ///< all T slots as far as they fit
    first_row_only,          ///< the tokens of every row, all in the slots of row 0
    all_but_first_if_empty,  ///< the first token of an empty row is left out
    with_stride_of_call,     ///< a head's slots lie T apart in memory, not C
};

/// 2.1 Which tokens are refused; the capacity is C.
enum class Refusal {
    too_many,  ///< L + n > C
    filling,   ///< L + n >= C
    slots,     ///< L + T > C
};

/// 2.1 What reset does.
enum class Reset { lengths, nothing, first_row_only, keeps_one, removes_lengths };

/// 2.2 The past that positions continue from.
enum class Past { own, none, first_row, longest_row, all_rows, only_for_one_token };

/// 2.2 The position of new token t.
enum class Counting {
    past_plus_t,
    one_more,
    one_more_on_top_of_past,
    one_less,
    one_less_on_top_of_past,
    all_at_first,
    all_at_last
};

/// 2.3 The mask of a cached call, where it differs from the mask of an uncached one.
enum class CachedMask {
    absolute,
    in_call,  ///< query t of a chunk sees keys 0 … t
    none,     ///< no mask whenever there is a cache
    none_on_top_of_past,
    strict_for_one_token,  ///< a single token does not see itself
    strict_for_one_token_on_top_of_past,
    one_ahead,
    chunk_at_first_position,  ///< all queries of a chunk sit where its first token sits
    end_of_capacity,          ///< p = C - T + t
};

/// 2.3 Which slots a cached call reads.
enum class Slots {
    live,
    all_masked,      ///< all slots, unwritten ones masked: 0 · NaN is NaN
    all,             ///< unwritten slots take part, the causal mask is lost with them
    all_but_future,  ///< unwritten slots take part, later tokens are masked
    before_append,   ///< what the cache held before the call
    before_append_on_top_of_past,
    of_this_call,         ///< the new tokens only
    values_of_this_call,  ///< older values are taken as 0
    length_of_first_row,
    length_of_longest_row,
    keys_of_first_row,
    one_short,  ///< the last live key is left out
    one_short_on_top_of_past,
};

/// 2.3 What a cached call appends.
enum class Appends {
    new_tokens,
    twice,  ///< where they fit
    nothing_for_one_token,
    all_but_last,
    all_but_last_of_chunk,  ///< of more than one token
    after_reset_for_chunk,  ///< a chunk of more than one token empties the cache first
};

}  // namespace workbook::mistakes
