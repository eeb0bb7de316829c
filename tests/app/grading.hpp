/// @file
/// Grades texts as a learner's file is graded, for tests of the grader.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/base/system/process.hpp"

namespace workbook::app {

/// The project's folder, and its build folder.
[[nodiscard]] std::filesystem::path source_folder();
[[nodiscard]] std::filesystem::path build_folder();

/// The worked solution of a part with one piece of text replaced.
[[nodiscard]] std::string solution_with(const std::string& part, const std::string& from, const std::string& to);

/// The file that `grade` writes.
[[nodiscard]] std::filesystem::path answer_file();

/// Runs `check PART` with more arguments, in an environment with more variables.
[[nodiscard]] RunResult check(const std::string& part, const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment = {});

/// Grades a text: `check PART --file …`.
[[nodiscard]] RunResult grade(const std::string& part, const std::string& text,
                              const std::vector<std::string>& environment = {});

/// Expects that a run printed a text, or did not.
void expect_text(const RunResult& result, const std::string& text);
void expect_no_text(const RunResult& result, const std::string& text);

}  // namespace workbook::app
