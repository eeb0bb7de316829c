#include "app/story/telling/text_stream.hpp"

#include <utility>

#include "app/base/text.hpp"
#include "app/base/utf8.hpp"

namespace workbook::story {

namespace {

// Bytes up to the last character, if that lacks bytes; all of them otherwise.
std::size_t complete_bytes(std::string_view bytes) {
    std::size_t last = bytes.size();
    while (last > 0 && bytes.size() - last < 3 && app::continues_character(bytes[last - 1])) {
        --last;
    }
    const bool lacks = last > 0 && app::character_size(bytes[last - 1]) > bytes.size() - last + 1;
    return lacks ? last - 1 : bytes.size();
}

}  // namespace

std::string TextStream::add(std::string_view bytes) {
    held_ += bytes;
    const std::size_t complete = complete_bytes(held_);
    std::string text = app::harmless(held_.substr(0, complete));
    held_.erase(0, complete);
    return text;
}

std::string TextStream::finish() {
    return app::harmless(std::exchange(held_, {}));
}

}  // namespace workbook::story
