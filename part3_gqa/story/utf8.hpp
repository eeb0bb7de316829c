/// @file
/// The one thing about UTF-8 that both directions need.
#pragma once

#include <cstddef>

namespace workbook::story {

/// How many bytes the character has that begins with this one; a byte that begins none stands for itself.
[[nodiscard]] constexpr std::size_t character_size(char first) {
    const auto lead = static_cast<unsigned char>(first);
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

}  // namespace workbook::story
