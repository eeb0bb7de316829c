/// @file
/// Reruns under AddressSanitizer and UndefinedBehaviorSanitizer: a build folder of their own, and their reports in
/// plain words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "check.hpp"

namespace workbook::grader {

/// The same folders with the sanitized build, which is configured when it is not there.
/// @throws std::runtime_error when it cannot be configured
[[nodiscard]] Folders sanitized(const Folders& folders);

/// A file of the learner's, and how to call it.
struct NamedFile {
    std::filesystem::path path;
    std::string name;
};

/// What a sanitizer found, and the first line of one of the files that led there.
/// @param output  what a sanitized program printed
/// @return        empty when no sanitizer has found anything
[[nodiscard]] std::string sanitizer_finding(const std::string& output, const std::vector<NamedFile>& files);

/// Replaces a sanitizer's report in a result by what it found.
void condense_sanitizer_report(TestResult& result, const std::vector<NamedFile>& files);

}  // namespace workbook::grader
