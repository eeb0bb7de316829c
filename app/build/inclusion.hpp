/// @file
/// What a learner's file may be called, and what it may be made of.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace workbook::app {

/// A file cannot be graded because of what it is called.
class UnusableFile : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A learner's file is compiled through a line `#include "path"`.
/// @throws UnusableFile when its path cannot stand there
void expect_includable(const std::filesystem::path& file);

/// Why a compiled file is no answer of its author's own: it includes a worked solution or code of the tests, or calls
/// the tests' code. Empty when it is fine.
/// @param file    the learner's file
/// @param object  what it was compiled to, relative to the build folder
[[nodiscard]] std::string borrowed_code(const std::filesystem::path& source_dir, const std::filesystem::path& build_dir,
                                        const std::filesystem::path& file, const std::string& object);

}  // namespace workbook::app
