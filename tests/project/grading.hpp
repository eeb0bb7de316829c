/// @file
/// Grades texts as a learner's file is graded, for tests of the grader.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "process.hpp"

namespace workbook::grader {

/// The project's folder, and its build folder.
[[nodiscard]] std::filesystem::path source_folder();
[[nodiscard]] std::filesystem::path build_folder();

/// A file's contents.
[[nodiscard]] std::string contents(const std::filesystem::path& file);

/// The worked solution of a part with one piece of text replaced.
[[nodiscard]] std::string solution_with(int part, const std::string& from, const std::string& to);

/// The file that `grade` writes.
[[nodiscard]] std::filesystem::path answer_file();

/// Runs `check PART` with more arguments, in an environment with more variables.
[[nodiscard]] RunResult check(int part, const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment = {});

/// Grades a text: `check PART --file …`.
[[nodiscard]] RunResult grade(int part, const std::string& text, const std::vector<std::string>& environment = {});

/// Expects that a run printed a text, or did not.
void expect_text(const RunResult& result, const std::string& text);
void expect_no_text(const RunResult& result, const std::string& text);

}  // namespace workbook::grader
