/// @file
/// Where and when something is measured.
#pragma once

#include <string>

namespace workbook::app {

/// The processor's name as Linux tells it, such as "AMD EPYC".
[[nodiscard]] std::string processor();

/// The date in UTC, such as "2026-01-31".
[[nodiscard]] std::string utc_date();

}  // namespace workbook::app
