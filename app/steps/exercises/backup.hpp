/// @file
/// Replaces a learner's file and keeps what was in it.
#pragma once

#include <filesystem>
#include <string>

#include "app/steps/project.hpp"

namespace workbook::app {

/// Where a backup of a part's file made now would go: .workbook/backups/part1-2026-01-31-154210.cpp
[[nodiscard]] std::filesystem::path backup_name(const Project& project, const Part& part);

/// Copies a file, reads the copy back, and only then puts `text` in its place.
/// @param backup  where the copy goes; when that exists already, a number is added to the name
/// @return where the copy went
/// @throws std::runtime_error when the copy is not right or the file cannot be replaced; the file is untouched then
std::filesystem::path replace_with_backup(const std::filesystem::path& file, const std::string& text,
                                          const std::filesystem::path& backup);

}  // namespace workbook::app
