/// @file
/// Figures of the cost model as text of 80 columns, and as JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "reference/cost_report.hpp"
#include "reference/presets.hpp"

namespace workbook::app {

/// Bytes in the largest binary unit that leaves at least 1, with three digits: "32 GiB", "1.02 TiB", "640 B".
[[nodiscard]] std::string in_binary_units(reference::Count bytes);

/// An amount with the decimal prefix that leaves 1 to 999 in front of it: (0.0048, "s") is "4.8 ms".
[[nodiscard]] std::string in_decimal_units(double amount, const std::string& unit);

/// Everything about one case.
void print_costs(std::ostream& out, const reference::ModelShape& model, const reference::Load& load,
                 const reference::Machine& machine);

/// The same as one JSON document, in the form that docs/json-output.md describes.
void print_costs_as_json(std::ostream& out, const reference::Preset& model, const reference::Load& load,
                         const reference::Machine& machine);

/// The presets as a table of 80 columns.
void print_presets(std::ostream& out, const std::vector<reference::Preset>& presets);

}  // namespace workbook::app
