/// @file
/// What bytes are in UTF-8.
#pragma once

#include <cstddef>

namespace workbook::app {

/// Whether a byte goes on with a character that an earlier one began.
[[nodiscard]] constexpr bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// How many bytes the character has that begins with this one; a byte that begins none stands for itself.
[[nodiscard]] constexpr std::size_t character_size(char first) {
    const auto lead = static_cast<unsigned char>(first);
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

}  // namespace workbook::app
