/// @file
/// The machine that this runs on.
#pragma once

#include <string>

namespace workbook::app {

/// The processor's name as Linux tells it, such as "AMD EPYC".
[[nodiscard]] std::string processor();

/// How many processors this process may keep busy: those of its affinity, and no more than the quota of its control
/// group pays for; at least 1.
[[nodiscard]] unsigned allowed_processors();

/// The date in UTC, such as "2026-01-31".
[[nodiscard]] std::string utc_date();

}  // namespace workbook::app
