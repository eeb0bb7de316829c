/// @file
/// Text that comes in pieces of bytes.
#pragma once

#include <string>
#include <string_view>

namespace workbook::story {

/// Turns bytes into whole characters: a character that is not complete yet is held back. What is no UTF-8 is replaced,
/// and so are control characters that could confuse a terminal.
class TextStream {
public:
    /// The characters that these bytes complete.
    [[nodiscard]] std::string add(std::string_view bytes);

    /// What is still held back, at the end of the text.
    [[nodiscard]] std::string finish();

private:
    std::string held_;
};

}  // namespace workbook::story
