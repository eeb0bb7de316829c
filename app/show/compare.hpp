/// @file
/// Two texts beside each other, by the standard program diff.
#pragma once

#include <cstddef>
#include <string>

#include "app/base/system/terminal.hpp"

namespace workbook::app {

/// Both texts in two columns when that many columns leave room for code, else one under the other: `-` the learner's
/// lines, `+` the worked ones.
/// @throws std::runtime_error when diff cannot be run
[[nodiscard]] std::string compared(const std::string& mine, const std::string& worked, std::size_t columns,
                                   const Style& style);

/// Which side is whose.
[[nodiscard]] std::string legend(const std::string& mine, const std::string& worked, std::size_t columns,
                                 const Style& style);

}  // namespace workbook::app
