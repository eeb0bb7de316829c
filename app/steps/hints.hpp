/// @file
/// The hints of a step, from a part's hints.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/base/system/terminal.hpp"
#include "app/steps/project.hpp"

namespace workbook::app {

/// Every step's hints, in order, by its number. A step starts with `## 1.3 name`, a hint with `### Hint 1`.
[[nodiscard]] std::map<std::string, std::vector<std::string>> hints_in(const std::string& markdown);

/// The hint of a step that follows the one shown last, with a line that says which it is; after the last one it is the
/// first again. Notes that it was shown.
/// @param number  the hint to show instead, from 1; 0: the next one
/// @throws std::runtime_error when the part's hints.md has none for the step, or none of that number
[[nodiscard]] std::string next_hint(const Project& project, const std::string& step, const Style& style,
                                    int number = 0);

}  // namespace workbook::app
