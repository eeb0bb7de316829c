/// @file
/// Given: one guard for each function that refuses bad input. It comes first in the function, before anything is
/// changed, and its message names the argument, what it expected and what it got.
#pragma once

#include <span>
#include <string_view>

#include "part1_mha/attention.hpp"

namespace workbook {

/// Refuses arguments of attend_head that do not fit together.
/// @throws std::invalid_argument unless q is [R, d], k and v are [S, d], and there are R positions
void expect_attend_head_fits(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                             std::span<const Position> positions);

/// Refuses arguments of attend_heads that do not fit together.
/// @throws std::invalid_argument unless q is [B, H, T, d] with B, H and d of kv, and positions are [B, T]
void expect_attend_heads_fits(const Tensor<4>& q, const KeyValues& kv, const Positions& positions);

/// Refuses arguments of a function for grouped heads, such as attend_groups, that do not fit together. Messages name it
/// as `function`.
/// @throws std::invalid_argument unless q is [B, H, T, d] with B and d of kv, Hkv divides H, and positions are [B, T]
void expect_groups_fit(std::string_view function, const Tensor<4>& q, const KeyValues& kv, const Positions& positions);

/// Refuses arguments of project that do not fit the layer.
/// @throws std::invalid_argument unless x is [B, T, D] and positions are [B, T]
void expect_project_fits(const AttentionConfig& config, const Tensor<3>& x, const Positions& positions);

/// Refuses a call of forward whose input does not fit the layer.
/// @throws std::invalid_argument unless x is [B, T, D]
void expect_forward_fits(const AttentionConfig& config, const Tensor<3>& x);

}  // namespace workbook
