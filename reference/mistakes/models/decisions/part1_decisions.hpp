/// @file
/// Decisions of part 1: heads, softmax, one head, the layer; and cost formulas of all parts.
#pragma once

namespace workbook::mistakes {

/// 1.1 How the last axis is cut into heads, and how the heads are put together again.
enum class HeadLayout {
    blocks,            ///< element (b, h, t, c) and x(b, t, h·d + c)
    same_memory,       ///< the data as stored: a reshape without the transpose
    interleaved,       ///< head h owns columns h, h + heads, h + 2·heads, …
    batch_is_time,     ///< x read as [T, B, heads·d]
    heads_before_rows  ///< [heads, B, T, d] taken for [B, heads, T, d]
};

/// 1.2 What is subtracted from a score before exp.
enum class Shift {
    row_maximum,
    none,
    maximum_of_all,            ///< one maximum for the whole matrix
    maximum_or_start,          ///< the search for the maximum starts at Decisions::start, not at -infinity
    lazy_row_maximum,          ///< a lazy xtensor reduction with keep_dims as an operand: windows of wrong elements
    maximum_of_row_by_column,  ///< a reduction without keep_dims: column j uses the maximum of row j
};

/// 1.2 What an exponential is divided by.
enum class Denominator {
    row_sum,
    none,
    sum_carried_over,  ///< never set back to 0 between rows
    whole_sum,         ///< the running sum is a whole number
    sum_so_far,        ///< of keys 0 … j only
    all_but_last_key,
    lazy_row_sum,          ///< as lazy_row_maximum
    sum_of_row_by_column,  ///< as maximum_of_row_by_column
};

/// 1.2 What is done with a sum of 0 in a row that sees a key.
enum class ZeroSum { divided_by, taken_for_one };

/// 1.2 What a row in which every score is -infinity gives.
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
    after_softmax,        ///< the weights are divided by sqrt(d) instead of the scores
    sqrt_of_fixed_width,  ///< the square root of Decisions::fixed_width
    none_for_one_query,
};

/// 1.3 Which keys a query at position p sees; t is its row number in the call, T and S the numbers of queries and keys.
enum class Mask {
    causal,              ///< j <= p
    none,                ///< all keys
    none_but_padding,    ///< all keys, except that a query at -1 still sees nothing
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
    first_keys,            ///< the first Decisions::most_keys keys only
    carried_over,          ///< what a query mixes is added to what the one before it has mixed
};

/// 1.3, 1.4 and 2.1 What an empty query or row ends, when a loop is left that should go on.
enum class AfterEmpty {
    goes_on,
    queries_end,  ///< later queries of the head give zeros
    rows_end,     ///< later batch rows give zeros
    append_ends   ///< nothing is appended to later batch rows
};

/// 1.4 and 2.x Which batch row is read.
enum class Row { own, first };

/// 1.4 Where the output of a head goes.
enum class OutputLayout { heads_first, tokens_first, last_head_everywhere, last_row_everywhere };

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

/// 1.5 How many heads keys and values are split into.
enum class KvHeads { as_configured, as_queries };

/// 1.5 What is rotated by the rotary positions.
enum class Rotation { queries_and_keys, nothing, queries_only, keys_only, values_too, twice };

/// 1.5 and 2.3 By which positions queries and keys are rotated.
enum class RotaryPosition { absolute, in_call, of_first_row, one_more_on_top_of_past, summed_over_rows };

/// 1.5 Positions of an uncached call.
enum class StartPosition { zero, one, all_zero, all_last, running_over_rows };

/// 1.5 What is added to the output.
enum class Residual { none, input };

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
    bytes_twice,
    heads_twice,
    copies_one_step_more,
    copies_linear,
    projected_one_step_less,
    projected_linear,
    grouped_like_multi_head,
    one_of_wk_wv,
    groups_for_heads,
    without_wo,
    of_one_token,
    intensity_without_group,
    intensity_of_keys_only,
    intensity_of_scores_only,
    intensity_inverted,
    intensity_in_whole_numbers,
};

}  // namespace workbook::mistakes
