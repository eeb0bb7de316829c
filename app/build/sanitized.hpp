/// @file
/// The build under AddressSanitizer and UndefinedBehaviorSanitizer, in a folder of its own.
#pragma once

#include "app/steps/project.hpp"

namespace workbook::app {

/// The same project with the sanitized build, which is configured when it is not there.
/// @throws std::runtime_error when it cannot be configured
[[nodiscard]] Project sanitized(const Project& project);

}  // namespace workbook::app
