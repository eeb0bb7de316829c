/// @file
/// The commands behind ./workbook. The launcher has installed, configured and built what they need.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace workbook::app {

/// Where a checkout and what is built of it are.
struct Folders {
    std::filesystem::path source;
    std::filesystem::path build;
};

/// Runs a command line.
/// @param words  behind ./workbook
/// @return       the exit code
[[nodiscard]] int run_workbook(const Folders& folders, const std::vector<std::string>& words);

}  // namespace workbook::app
