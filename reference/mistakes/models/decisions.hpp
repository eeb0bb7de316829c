/// @file
/// The decisions that an implementation of attention takes, each with the right choice first and the wrong ones that
/// people make. A mistake is one decision taken wrongly.
#pragma once

#include <cstddef>

namespace workbook::mistakes {

/// 1.1 How the last axis is cut into heads, and how the heads are put together again.
enum class HeadLayout {
    blocks,            ///< element (b, h, t, c) and x(b, t, h·d + c)
    same_memory,       ///< the data taken as they lie: a reshape without the transpose
    interleaved,       ///< head h owns columns h, h + heads, h + 2·heads, …
    batch_is_time,     ///< x read as [T, B, heads·d]
    heads_before_rows  ///< [heads, B, T, d] taken for [B, heads, T, d]
};

/// 1.2 What is subtracted from a score before exp.
enum class Shift {
    row_maximum,
    none,
    maximum_of_all,            ///< one maximum for the whole matrix
    maximum_or_zero,           ///< the search for the maximum starts at 0
    lazy_row_maximum,          ///< a lazy xtensor reduction with keep_dims as an operand: windows of wrong elements
    maximum_of_row_by_column,  ///< a reduction without keep_dims: column j uses the maximum of row j
};

/// 1.2 What an exponential is divided by.
enum class Denominator {
    row_sum,
    none,
    sum_carried_over,  ///< never set back to 0 between rows
    sum_so_far,        ///< of keys 0 … j only
    all_but_last_key,
    lazy_row_sum,          ///< as lazy_row_maximum
    sum_of_row_by_column,  ///< as maximum_of_row_by_column
};

/// 1.2 What is done about a sum of 0 in a row that sees a key.
enum class ZeroSum { divided_by, taken_for_one };

/// 1.2 What a row of nothing but -infinity gives.
enum class EmptyRow { zeros, nan, uniform };

/// 1.2 Over which axis weights sum to 1.
enum class SoftmaxAxis { keys, queries, heads };

/// 1.2 The base of the exponential.
enum class Exponential { base_e, base_two };

/// 1.3 What scores are divided by.
enum class Scale {
    sqrt_head_dim,
    none,
    sqrt_d_model,
    sqrt_n_heads,
    sqrt_kv_len,
    head_dim,
    inverted,
    whole_sqrt_head_dim,
    after_softmax,  ///< the weights are divided by sqrt(d) instead of the scores
};

/// 1.3 Which keys a query at position p sees; t is its row number in the call, T and S the numbers of queries and keys.
enum class Mask {
    causal,              ///< j <= p
    none,                ///< all keys
    none_but_padding,    ///< all keys, but a query that sees nothing sees nothing
    strict,              ///< j < p
    one_ahead,           ///< j <= p + 1, for -1 too
    one_ahead_of_token,  ///< j <= p + 1 for real positions
    reversed,            ///< j >= p
    inverted,            ///< j > p
    by_row_number,       ///< j <= t
    bottom_right,        ///< j <= S - T + t
    unsigned_position,   ///< -1 compares as a huge number
    first_position,      ///< all queries use the position of the first
    only_when_square,    ///< masked when T = S only
    not_for_one_query,   ///< a single query is never masked
    nothing_at_zero,     ///< as j <= p, but position 0 sees nothing
};

/// 1.3 What becomes of a hidden score.
enum class HiddenScore {
    minus_infinity,
    finite,        ///< Decisions::finite_score
    finite_added,  ///< the score and Decisions::finite_score
    plus_infinity,
    one_less,       ///< the boolean mask added: 1 for visible keys, 0 for hidden ones
    weight_zeroed,  ///< the weight is set to 0 after the softmax, without dividing again
};

/// 1.3 What is mixed with the weights, and how queries, keys and weights meet.
enum class Mixing {
    values,
    keys,                  ///< keys are mixed instead of values
    swapped,               ///< keys are mixed, with weights that were made from values
    transposed_scores,     ///< k·qᵀ where T = S
    transposed_weights,    ///< weightsᵀ·v where T = S
    without_last_key,      ///< key S - 1 has no score
    without_first_key,     ///< key 0 has no score
    without_last_value,    ///< value S - 1 is not mixed, though its key has a weight
    without_first_value,   ///< value 0 is not mixed, though its key has a weight
    without_last_channel,  ///< the dot product stops one channel short
};

/// 1.4 and 2.x Which batch row is read.
enum class Row { own, first };

/// 1.4 Where the output of a head goes.
enum class OutputLayout { heads_first, tokens_first, last_head_everywhere, last_row_everywhere };

/// 3.1 Which key/value head query head h reads.
enum class HeadMap {
    group,
    modulo,
    divide_by_kv,
    modulo_group,
    direct,
    zero,
    zero_without_groups,  ///< head 0, in a layer where every query head has a key/value head of its own
    reversed,
    one_off
};

/// 3.2 Which keys and values go together.
enum class ValueHead { same, zero, modulo };

/// 3.2 How the G·T rows of a group get their positions and queries.
enum class Stacking {
    heads_then_tokens,
    tokens_then_heads,      ///< queries in one order, positions in the other
    first_head_only,        ///< only the first T rows are masked
    others_at_zero,         ///< only the first T rows get positions, the others stay at 0
    queries_of_first_head,  ///< all heads of a group use the queries of the first
};

/// 3.2 The order of the outputs of a group.
enum class GroupOrder { group_major, member_major };

/// 1.5 Which weight makes queries, keys and values, and what follows attention.
enum class Weights {
    as_named,
    queries_from_wk,
    keys_from_wq,
    keys_from_wv,
    values_from_wk,
    swapped_wk_wv,
    swapped_wq_wk,
    wq_transposed,
    wk_transposed,
    wv_transposed,
    wo_transposed,
    wo_missing,
    wo_twice,
};

/// 1.5 What is rotated by the rotary positions.
enum class Rotation { queries_and_keys, nothing, queries_only, keys_only, values_too, twice };

/// 1.5 and 2.3 By which positions queries and keys are rotated.
enum class RotaryPosition { absolute, in_call, of_first_row, one_more_on_top_of_past };

/// 1.5 Positions of an uncached call.
enum class StartPosition { zero, one, all_zero, all_last, running_over_rows };

/// 1.5 What is added to the output.
enum class Residual { none, input };

/// 2.1 Where a row's new tokens are written.
enum class Slot {
    behind_length,
    zero,                        ///< always from slot 0
    one_further,                 ///< one slot is left out
    one_further_on_top_of_past,  ///< one slot is left out when the row is not empty
    behind_grown_length,         ///< behind the length that counts the new tokens already
    behind_first_row,            ///< behind the length of row 0
    behind_grown_first_row,      ///< behind the length of row 0, which grows when row 0 is written
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
    replaced,  ///< the length is set to the new tokens
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
enum class Past { own, none, first_row, longest_row, only_for_one_token };

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

/// 3.3 The position of a padded slot.
enum class Padding { sees_nothing, goes_on, goes_on_in_forward, last_token, zero };

/// 3.3 Which count of new tokens a row uses.
enum class Count { own, first_row, largest, one_more, one_less };

/// 3.3 Where in the T slots a row's tokens are.
enum class Alignment { front, back, bottom_right };

/// 3.3 What a padded slot gives.
enum class PaddedOutput { zeros, input, last_token, nan_stays };

/// 3.5 What a pass over tiles of keys does, with the maximum m, the sum and the output of the keys so far.
enum class Streaming {
    right,
    output_not_rescaled,           ///< when m rises, the output still belongs to the old one
    sum_not_rescaled,              ///< the sum does
    nothing_rescaled,              ///< both do
    factor_swapped,                ///< e^(new - old), from the second tile on
    factor_swapped_from_start,     ///< the same in the first tile, where it is infinity times 0
    maximum_of_tile,               ///< each tile uses its own maximum, and nothing is rescaled
    maximum_of_hidden_tile,        ///< the same, also in tiles that the query does not see
    last_tile_skipped,             ///< a last tile that is not full is left out
    own_tile_skipped,              ///< so is the tile in which a query's visible keys end
    tile_not_masked,               ///< a query sees all of the tile in which its visible keys end
    tile_not_masked_up_to_latest,  ///< … as far as the row's last query sees
    divided_in_every_tile,         ///< the output is divided by the sum after each tile
    softmax_of_every_tile,         ///< each tile is normalised by itself, and the outputs are added
    minus_infinity_at_start,       ///< a query that sees nothing gives NaN
    minus_infinity_beside_others,  ///< … where other queries of its row see something
};

/// 1.6, 2.4, 3.4 A cost formula.
enum class Cost {
    right,
    three_projections,
    operations_not_multiply_adds,
    projections_linear_in_d_model,
    without_batch,
    scores_without_mixing,
    triangle_only,
    linear_in_q_len,
    without_heads,
    keys_only,
    one_layer,
    elements_not_bytes,
    copies_one_step_more,
    copies_linear,
    projected_one_step_less,
    projected_linear,
    grouped_like_multi_head,
    one_of_wk_wv,
    without_wo,
    of_one_token,
    intensity_without_group,
    intensity_of_keys_only,
    intensity_of_scores_only,
    intensity_inverted,
    intensity_in_whole_numbers,
};

/// All decisions; a new one is right in everything.
struct Decisions {
    HeadLayout split = HeadLayout::blocks;
    HeadLayout merge = HeadLayout::blocks;
    Shift shift = Shift::row_maximum;
    Denominator denominator = Denominator::row_sum;
    double added_to_sum = 0;
    ZeroSum zero_sum = ZeroSum::divided_by;
    EmptyRow empty_row = EmptyRow::zeros;
    SoftmaxAxis softmax_axis = SoftmaxAxis::keys;
    Exponential exponential = Exponential::base_e;
    Scale scale = Scale::sqrt_head_dim;
    Mask mask = Mask::causal;
    HiddenScore hidden_score = HiddenScore::minus_infinity;
    double finite_score = 0;
    Mixing mixing = Mixing::values;
    Row positions_of = Row::own;
    Row queries_of = Row::own;
    Row keys_of = Row::own;
    OutputLayout output_layout = OutputLayout::heads_first;
    HeadMap head_map = HeadMap::group;
    ValueHead value_head = ValueHead::same;
    Stacking stacking = Stacking::heads_then_tokens;
    GroupOrder group_order = GroupOrder::group_major;
    Weights weights = Weights::as_named;
    Rotation rotation = Rotation::queries_and_keys;
    RotaryPosition rotary_position = RotaryPosition::absolute;
    StartPosition start_position = StartPosition::zero;
    Residual residual = Residual::none;
    Slot slot = Slot::behind_length;
    Growth growth = Growth::n_new;
    Written written = Written::keys_and_values;
    Refusal refusal = Refusal::too_many;
    Reset reset = Reset::lengths;
    Past past = Past::own;
    Counting counting = Counting::past_plus_t;
    CachedMask cached_mask = CachedMask::absolute;
    Slots slots = Slots::live;
    Appends appends = Appends::new_tokens;
    Padding padding = Padding::sees_nothing;
    Count position_count = Count::own;
    Count append_count = Count::own;
    Alignment alignment = Alignment::front;
    PaddedOutput padded_output = PaddedOutput::zeros;
    Streaming streaming = Streaming::right;
    std::size_t tile = 1;  ///< keys in a tile, where streaming is not right
    Cost cost = Cost::right;

    bool operator==(const Decisions&) const = default;
};

}  // namespace workbook::mistakes
