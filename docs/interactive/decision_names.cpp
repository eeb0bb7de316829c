#include "docs/interactive/decision_names.hpp"

#include <functional>
#include <map>
#include <string>

namespace workbook::docs {

namespace {

using mistakes::Decisions;
using nlohmann::ordered_json;

// Takes a wrong decision out of the decisions and into the names, if it has a name.
using Field = std::function<void(Decisions&, ordered_json&)>;

template <class Choice>
Field field(const std::string& name, Choice Decisions::*member, std::map<Choice, std::string> choices) {
    return [=](Decisions& decisions, ordered_json& names) {
        const auto found = choices.find(decisions.*member);
        if (found != choices.end()) {
            names[name] = found->second;
            decisions.*member = Decisions{}.*member;
        }
    };
}

std::vector<Field> mask_fields() {
    using enum mistakes::Mask;
    using mistakes::CachedMask;
    using D = Decisions;
    return {
        field("mask", &D::mask,
              {{none, "none"},
               {none_but_padding, "none_but_padding"},
               {strict, "strict"},
               {one_ahead, "one_ahead"},
               {one_ahead_of_token, "one_ahead_of_token"},
               {reversed, "reversed"},
               {inverted, "inverted"},
               {by_row_number, "by_row_number"},
               {bottom_right, "bottom_right"},
               {unsigned_position, "unsigned_position"},
               {first_position, "first_position"},
               {only_when_square, "only_when_square"},
               {not_for_one_query, "not_for_one_query"},
               {nothing_at_zero, "nothing_at_zero"}}),
        field("cached_mask", &D::cached_mask,
              {{CachedMask::in_call, "in_call"},
               {CachedMask::none, "none"},
               {CachedMask::none_on_top_of_past, "none_on_top_of_past"},
               {CachedMask::strict_for_one_token, "strict_for_one_token"},
               {CachedMask::strict_for_one_token_on_top_of_past, "strict_for_one_token_on_top_of_past"},
               {CachedMask::one_ahead, "one_ahead"},
               {CachedMask::chunk_at_first_position, "chunk_at_first_position"},
               {CachedMask::end_of_capacity, "end_of_capacity"}}),
        field("hidden_score", &D::hidden_score,
              {{mistakes::HiddenScore::finite, "zero"}, {mistakes::HiddenScore::one_less, "one_less"}}),
        field("empty_row", &D::empty_row, {{mistakes::EmptyRow::uniform, "uniform"}}),
        field("mixing", &D::mixing,
              {{mistakes::Mixing::without_last_key, "without_last_key"},
               {mistakes::Mixing::without_first_key, "without_first_key"},
               {mistakes::Mixing::without_last_value, "without_last_value"},
               {mistakes::Mixing::without_first_value, "without_first_value"}}),
        field("stacking", &D::stacking,
              {{mistakes::Stacking::tokens_then_heads, "tokens_then_heads"},
               {mistakes::Stacking::first_head_only, "first_head_only"},
               {mistakes::Stacking::others_at_zero, "others_at_zero"}}),
    };
}

std::vector<Field> position_fields() {
    using D = Decisions;
    using mistakes::Counting;
    using mistakes::Past;
    const std::map<mistakes::Count, std::string> counts{{mistakes::Count::first_row, "first_row"},
                                                        {mistakes::Count::largest, "largest"},
                                                        {mistakes::Count::one_more, "one_more"},
                                                        {mistakes::Count::one_less, "one_less"}};
    return {
        field("positions_of", &D::positions_of, {{mistakes::Row::first, "first"}}),
        field("past", &D::past,
              {{Past::none, "none"},
               {Past::first_row, "first_row"},
               {Past::longest_row, "longest_row"},
               {Past::only_for_one_token, "only_for_one_token"}}),
        field("counting", &D::counting,
              {{Counting::one_more, "one_more"},
               {Counting::one_more_on_top_of_past, "one_more_on_top_of_past"},
               {Counting::one_less, "one_less"},
               {Counting::one_less_on_top_of_past, "one_less_on_top_of_past"},
               {Counting::all_at_first, "all_at_first"},
               {Counting::all_at_last, "all_at_last"}}),
        field("padding", &D::padding,
              {{mistakes::Padding::goes_on, "goes_on"},
               {mistakes::Padding::goes_on_in_forward, "goes_on_in_forward"},
               {mistakes::Padding::last_token, "last_token"},
               {mistakes::Padding::zero, "zero"}}),
        field("position_count", &D::position_count, counts),
        field("append_count", &D::append_count, counts),
        field("alignment", &D::alignment,
              {{mistakes::Alignment::back, "back"}, {mistakes::Alignment::bottom_right, "bottom_right"}}),
    };
}

std::vector<Field> cache_fields() {
    using D = Decisions;
    using mistakes::Appends;
    using mistakes::Growth;
    using mistakes::Slot;
    using mistakes::Slots;
    using mistakes::Written;
    return {
        field("slots", &D::slots,
              {{Slots::all_masked, "all_masked"},
               {Slots::all, "all"},
               {Slots::all_but_future, "all_but_future"},
               {Slots::before_append, "before_append"},
               {Slots::before_append_on_top_of_past, "before_append_on_top_of_past"},
               {Slots::of_this_call, "of_this_call"},
               {Slots::length_of_first_row, "length_of_first_row"},
               {Slots::one_short, "one_short"},
               {Slots::one_short_on_top_of_past, "one_short_on_top_of_past"}}),
        field("slot", &D::slot,
              {{Slot::zero, "zero"},
               {Slot::one_further, "one_further"},
               {Slot::one_further_on_top_of_past, "one_further_on_top_of_past"},
               {Slot::behind_grown_length, "behind_grown_length"},
               {Slot::behind_grown_first_row, "behind_grown_first_row"},
               {Slot::behind_first_row, "behind_first_row"},
               {Slot::behind_longest_row, "behind_longest_row"}}),
        field("growth", &D::growth,
              {{Growth::nothing, "nothing"},
               {Growth::first_row_only, "first_row_only"},
               {Growth::all_in_first_row, "all_in_first_row"},
               {Growth::replaced, "replaced"},
               {Growth::n_new_of_first_row, "n_new_of_first_row"}}),
        field("written", &D::written,
              {{Written::first_token_everywhere, "first_token_everywhere"}, {Written::last_slots, "last_slots"}}),
        field("appends", &D::appends,
              {{Appends::nothing_for_one_token, "nothing_for_one_token"},
               {Appends::all_but_last, "all_but_last"},
               {Appends::all_but_last_of_chunk, "all_but_last_of_chunk"},
               {Appends::after_reset_for_chunk, "after_reset_for_chunk"}}),
    };
}

std::vector<Field> head_fields() {
    using D = Decisions;
    using mistakes::HeadMap;
    return {
        field("head_map", &D::head_map,
              {{HeadMap::modulo, "modulo"},
               {HeadMap::divide_by_kv, "divide_by_kv"},
               {HeadMap::modulo_group, "modulo_group"},
               {HeadMap::direct, "direct"},
               {HeadMap::zero, "zero"},
               {HeadMap::reversed, "reversed"},
               {HeadMap::one_off, "one_off"}}),
        field("value_head", &D::value_head,
              {{mistakes::ValueHead::zero, "zero"}, {mistakes::ValueHead::modulo, "modulo"}}),
    };
}

}  // namespace

std::optional<ordered_json> names_of(Decisions decisions) {
    ordered_json names = ordered_json::object();
    for (const auto& fields : {mask_fields(), position_fields(), cache_fields(), head_fields()}) {
        for (const Field& take : fields) {
            take(decisions, names);
        }
    }
    return decisions == Decisions{} ? std::optional(names) : std::nullopt;
}

std::vector<Shown> shown_mistakes() {
    std::vector<Shown> all;
    for (const mistakes::Mistake& mistake : mistakes::catalogue()) {
        Shown shown{&mistake, {}, {}};
        for (const mistakes::Change& change : mistake.models) {
            Decisions decisions;
            change(decisions);
            if (auto names = names_of(decisions)) {
                shown.models.push_back(decisions);
                shown.names.push_back(*names);
            }
        }
        if (!shown.models.empty()) {
            all.push_back(shown);
        }
    }
    return all;
}

}  // namespace workbook::docs
