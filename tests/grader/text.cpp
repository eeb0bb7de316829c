#include "text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace workbook::grader {

std::string harmless(const std::string& text) {
    using nlohmann::json;
    const std::string valid = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    auto clean = json::parse(valid).get<std::string>();
    const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; };
    std::ranges::replace_if(clean, is_control, '?');
    return clean;
}

std::string joined(const std::vector<std::string>& items, const std::string& separator) {
    std::string text;
    for (const std::string& item : items) {
        text += (text.empty() ? "" : separator) + item;
    }
    return text;
}

std::string shortened(const std::string& text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    const auto within_character = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    std::size_t end = most;
    while (end > 0 && within_character(end)) {
        --end;
    }
    return text.substr(0, end) + " …";
}

}  // namespace workbook::grader
