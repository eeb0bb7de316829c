/// @file
/// The catalogue as write_catalogue writes it: constants, which cost little to compile and nothing until they are used.
#pragma once

#include <span>

#include "reference/mistakes/catalogue.hpp"

namespace workbook::mistakes {

inline constexpr int end_of_way = -1;

/// A mistake, with its ways one after another: indices into written_choices, and end_of_way after each way.
struct WrittenMistake {
    const char* id;
    const char* step;
    const char* title;
    const char* mechanism;
    const char* hides;
    const char* look;
    std::span<const int> ways;
};

[[nodiscard]] std::span<const Choice> written_choices();
[[nodiscard]] std::span<const WrittenMistake> written_mistakes();

}  // namespace workbook::mistakes
