/// @file
/// ./workbook cost: what a model's attention costs, as a table or as JSON.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "check.hpp"
#include "presets.hpp"

namespace workbook::grader {

/// What the command line says; what it leaves out is a preset's or a default.
struct CostArguments {
    std::string model;  ///< the name of a preset; empty for a model of one's own
    std::optional<reference::Count> n_layers, d_model, n_heads, n_kv_heads, head_dim, parameters;
    std::optional<reference::Count> bytes_per_element;
    reference::Load load{1, 4096, 0};
    double gigabytes_per_second = 3350;
    double teraflops_per_second = 989;
    double memory_gib = 80;
    bool list = false;
    bool json = false;
};

/// Prints the figures, or the presets.
/// @throws WrongUse that names the argument, what was expected and what came
int cost(const Folders& folders, const CostArguments& arguments);

/// The presets as a table of 80 columns.
void print_presets(std::ostream& out, const std::vector<reference::Preset>& presets);

}  // namespace workbook::grader
