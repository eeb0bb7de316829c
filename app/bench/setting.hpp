/// @file
/// What the numbers were measured with.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace workbook::bench {

/// The processor, the day, the commit, the files, the number type, what the program is compiled for, the threads, and
/// the kernels that were picked at run time.
/// @param commit  as the launcher knows it
/// @param files   whose code is measured
[[nodiscard]] nlohmann::ordered_json setting(const std::string& commit, const std::string& files);

/// The same as text to read.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& setting);

}  // namespace workbook::bench
