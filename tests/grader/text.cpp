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

}  // namespace workbook::grader
