/// @file
/// The published model that ./workbook story tells with.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::app {

inline constexpr const char* published_model_name = "stories260K.gguf";
inline constexpr const char* published_model_sha256 =
    "270cba1bd5109f42d03350f60406024560464db173c0e387d91f0426d3bd256d";

/// The sha256 of a file, in hexadecimal digits.
[[nodiscard]] std::string sha256_of(const std::filesystem::path& file);

}  // namespace workbook::app
