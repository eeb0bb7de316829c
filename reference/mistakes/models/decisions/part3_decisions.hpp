/// @file
/// Decisions of part 3: groups of heads, ragged batches, the pass over tiles.
#pragma once

namespace workbook::mistakes {

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

/// 3.3 The position of a padded slot.
enum class Padding { sees_nothing, goes_on, goes_on_in_forward, last_token, zero };

/// 3.3 Which count of new tokens a row uses.
enum class Count { own, first_row, largest, one_more, one_less };

/// 3.3 Where in the T slots a row's tokens are.
enum class Alignment { front, back, bottom_right };

/// 3.3 What a padded slot gives.
enum class PaddedOutput { zeros, input, last_token, nan_stays };

/// streaming.1 What a pass over tiles of keys does, with the maximum m, the sum and the output of the keys so far.
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
    last_tile_of_zeros,            ///< a last tile that is not full is filled up with keys and values of 0
    last_tile_of_zeros_unmasked,   ///< the same, if no query of the row has a mask there
    minus_10000_for_hidden,        ///< hidden keys of a tile score -10,000
    minus_infinity_beside_others,  ///< … where other queries of its row see something
};

}  // namespace workbook::mistakes
