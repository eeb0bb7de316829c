/// @file
/// Published models whose costs can be asked for by name, and reports as JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reference/cost_report.hpp"

namespace workbook::reference {

/// A published model.
struct Preset {
    std::string name;       ///< "llama-3.1-8b"
    std::string title;      ///< "Llama 3.1 8B"
    int year = 0;           ///< of its publication
    std::string source;     ///< where its extents are published
    Count max_context = 0;  ///< tokens
    ModelShape shape;
};

/// Reads docs/models.json.
/// @throws std::runtime_error that names the file, when it cannot be read or does not have that form
[[nodiscard]] std::vector<Preset> read_presets(const std::filesystem::path& file);

/// Everything in a report, by the names of its members; seconds and bound_by_memory of each call too.
[[nodiscard]] nlohmann::ordered_json json_of(const CostReport& report);

/// The extents by the names of their members.
[[nodiscard]] nlohmann::ordered_json json_of(const ModelShape& model);

}  // namespace workbook::reference
