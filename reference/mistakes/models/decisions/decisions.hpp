/// @file
/// The decisions that an implementation of attention makes, each with the right choice first, and then the wrong ones
/// that people make. A mistake is one wrong decision. The documents of mistakes use the names that are used here.
#pragma once

#include <cstddef>

#include "reference/mistakes/models/decisions/part1_decisions.hpp"
#include "reference/mistakes/models/decisions/part2_decisions.hpp"
#include "reference/mistakes/models/decisions/part3_decisions.hpp"

namespace workbook::mistakes {

/// All decisions; by default, all of them are right.
struct Decisions {
    HeadLayout split = HeadLayout::blocks;
    HeadLayout merge = HeadLayout::blocks;
    Shift shift = Shift::row_maximum;
    double start = 0;
    Denominator denominator = Denominator::row_sum;
    double added_to_sum = 0;
    ZeroSum zero_sum = ZeroSum::divided_by;
    EmptyRow empty_row = EmptyRow::zeros;
    SoftmaxAxis softmax_axis = SoftmaxAxis::keys;
    Exponential exponential = Exponential::base_e;
    Scale scale = Scale::sqrt_head_dim;
    double fixed_width = 1;
    Mask mask = Mask::causal;
    HiddenScore hidden_score = HiddenScore::minus_infinity;
    double finite_score = 0;
    Mixing mixing = Mixing::values;
    std::size_t most_keys = 0;
    AfterEmpty after_empty = AfterEmpty::goes_on;
    Row positions_of = Row::own;
    Row queries_of = Row::own;
    Row keys_of = Row::own;
    Row values_of = Row::own;
    OutputLayout output_layout = OutputLayout::heads_first;
    HeadMap head_map = HeadMap::group;
    ValueHead value_head = ValueHead::same;
    Stacking stacking = Stacking::heads_then_tokens;
    GroupOrder group_order = GroupOrder::group_major;
    Weights weights = Weights::as_named;
    KvHeads kv_heads = KvHeads::as_configured;
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
