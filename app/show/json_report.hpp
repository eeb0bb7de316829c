/// @file
/// Results as JSON, in the form that docs/json-output.md describes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/show/report.hpp"

namespace workbook::app {

/// Writes one JSON document.
/// @param next_step  the sentence that tells what to do now; empty when everything passed
void print_json(std::ostream& out, const std::vector<PartResult>& parts, const std::string& next_step);

}  // namespace workbook::app
