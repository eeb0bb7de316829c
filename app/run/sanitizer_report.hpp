/// @file
/// What AddressSanitizer and UndefinedBehaviorSanitizer report, in plain words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/build/graded_files.hpp"
#include "app/results/results.hpp"

namespace workbook::app {

/// What a sanitizer found, and the first line of one of the files that led there.
/// @param output  what a sanitized program printed
/// @return        empty when no sanitizer has found anything
[[nodiscard]] std::string sanitizer_finding(const std::string& output, const std::vector<NamedFile>& files);

/// Replaces a sanitizer's report in a result by what it found.
void condense_sanitizer_report(TestResult& result, const std::vector<NamedFile>& files);

}  // namespace workbook::app
