/// @file
/// Which version of the workbook this is.
#pragma once

#include <string>

namespace workbook::app {

/// "0.2.0", as the project's CMakeLists.txt says.
[[nodiscard]] std::string version();

}  // namespace workbook::app
