#include "app/base/text.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/base/utf8.hpp"

namespace workbook::app {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string joined(const std::vector<std::string>& items, const std::string& separator) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        text += (i == 0 ? "" : separator) + items[i];
    }
    return text;
}

std::string enumerated(const std::vector<std::string>& items) {
    if (items.size() < 2) {
        return joined(items, "");
    }
    return joined({items.begin(), items.end() - 1}, ", ") + " and " + items.back();
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> items;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, separator);) {
        if (!item.empty()) {
            items.push_back(item);
        }
    }
    return items;
}

std::string in_small_letters(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string harmless(const std::string& text) {
    using nlohmann::json;
    const std::string valid = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    auto clean = json::parse(valid).get<std::string>();
    const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; };
    std::ranges::replace_if(clean, is_control, '?');
    return clean;
}

std::string shortened(const std::string& text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    std::size_t end = most;
    while (end > 0 && continues_character(text[end])) {
        --end;
    }
    return text.substr(0, end) + " …";
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) {
        digits.insert(at - 3, ",");
    }
    return digits;
}

std::string counted(std::uint64_t number, const std::string& thing) {
    return grouped(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string local_time(const char* form) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 64> text{};
    (void)std::strftime(text.data(), text.size(), form, &local);
    return text.data();
}

}  // namespace workbook::app
