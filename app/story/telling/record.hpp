/// @file
/// What the worked solution does, call by call, for the program that compares. A program has one Attention, so there
/// are two of them, and this is what one tells the other.
#pragma once

#include <iosfwd>
#include <optional>
#include <vector>

#include "app/story/model/vocabulary.hpp"

namespace workbook::story {

/// One call of a layer's attention: x [1, T, D] gave y [1, T, D], T new tokens, or all of them without a cache.
struct LayerCall {
    Tensor<3> x, y;
};

/// One call of the model for a text.
struct Step {
    Tokens tokens;                  ///< what it read on
    std::vector<LayerCall> layers;  ///< every layer's call, at least one
    Tensor<3> hidden;               ///< hidden states of the new tokens, [1, T, D]
};

/// Writes a step as bytes, for a program of the same build.
void write_step(std::ostream& out, const Step& step);

/// Reads the next step; none when there is no other.
/// @throws std::runtime_error when a step is cut off
[[nodiscard]] std::optional<Step> read_step(std::istream& in);

}  // namespace workbook::story
