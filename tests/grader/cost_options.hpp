/// @file
/// The options of ./workbook cost.
#pragma once

#include <CLI/CLI.hpp>

#include "cost_command.hpp"

namespace workbook::grader {

/// Adds the command; parsing fills `arguments`.
void add_cost(CLI::App& app, CostArguments& arguments);

}  // namespace workbook::grader
