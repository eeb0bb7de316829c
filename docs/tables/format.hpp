/// @file
/// Numbers and tables as they stand in the pages. A number and its unit have a no-break space between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/base/text.hpp"

namespace workbook::docs {

using app::grouped;

/// 131072 is "128 KiB"; one decimal where it is not whole: "1.5 GiB".
[[nodiscard]] std::string binary(std::uint64_t bytes);

/// A number with so many decimals: "0.66".
[[nodiscard]] std::string fixed(double value, int decimals);

/// A number with a decimal prefix: 1.1e12 is "1.10 T".
[[nodiscard]] std::string decimal(double value);

/// Seconds with a fitting unit: "0.66 s", "20.5 ms", "6.4 µs".
[[nodiscard]] std::string duration(double seconds);

/// Where the fields behind the first column of a table stand: numbers on the right, words on the left.
enum class Align { numbers, words };

/// A Markdown table; the first row is the head.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows, Align align = Align::numbers);

}  // namespace workbook::docs
