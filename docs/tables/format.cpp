#include "docs/tables/format.hpp"

#include <array>
#include <cstdio>

namespace workbook::docs {

std::string fixed(double value, int decimals) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string binary(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> units{"\u00a0B", "\u00a0KiB", "\u00a0MiB", "\u00a0GiB", "\u00a0TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    const bool whole = value == static_cast<double>(static_cast<std::uint64_t>(value));
    return fixed(value, whole ? 0 : 1) + units.at(unit);
}

std::string decimal(double value) {
    constexpr std::array<const char*, 6> units{"", "\u00a0k", "\u00a0M", "\u00a0G", "\u00a0T", "\u00a0P"};
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0) + units.at(unit);
}

std::string duration(double seconds) {
    const auto with_unit = [](double value, const char* unit) {
        return fixed(value, value < 1 ? 2 : value < 100 ? 1 : 0) + unit;
    };
    return seconds >= 10     ? fixed(seconds, 1) + "\u00a0s"
           : seconds >= 0.1  ? fixed(seconds, 2) + "\u00a0s"
           : seconds >= 1e-3 ? with_unit(seconds * 1e3, "\u00a0ms")
                             : with_unit(seconds * 1e6, "\u00a0µs");
}

std::string table(const std::vector<std::vector<std::string>>& rows, Align align) {
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = "|";
        std::string rule = "|";
        for (const std::string& field : rows[r]) {
            line += " " + field + " |";
            rule += rule == "|" || align == Align::words ? "---|" : "---:|";
        }
        text += line + "\n" + (r == 0 ? rule + "\n" : "");
    }
    return text;
}

}  // namespace workbook::docs
