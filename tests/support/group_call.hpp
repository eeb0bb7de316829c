/// @file
/// Calls of attend_groups and streaming::attend, and what they have to give.
#pragma once

#include <functional>

#include "reference/mistakes/models/model.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {

/// Queries, keys and values.
struct GroupCall {
    Tensor<4> q;      ///< [B, H, T, d]
    Tensor<4> k, v;   ///< [B, Hkv, S, d]
    Lengths lengths;  ///< [B] rows of k and v that each batch row shows

    [[nodiscard]] KeyValues key_values() const { return {k, v, lengths}; }
    /// What the oracle gives.
    [[nodiscard]] reference::Array<4> expected(const Positions& positions) const;
    /// What attend_groups with these decisions gives, or streaming::attend.
    [[nodiscard]] reference::Array<4> model(const Positions& positions, const mistakes::Decisions& decisions,
                                            bool streaming = false) const;
};

/// A call with random numbers, in which every row shows all keys.
[[nodiscard]] GroupCall random_call(std::size_t n_heads, std::size_t n_kv_heads, std::size_t q_len, std::size_t kv_len,
                                    unsigned seed, std::size_t head_dim = 3, std::size_t batch = 2);

/// Checks calls that are long in one direction and short in all others; the last query sees all keys.
void check_long_calls(unsigned seed, const std::function<void(const GroupCall&, const Positions&)>& check);

}  // namespace workbook::grading
