/// @file
/// Results as JUnit XML, which systems for continuous integration read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/show/report.hpp"

namespace workbook::app {

/// Text as it may stand in XML, in an element or an attribute.
[[nodiscard]] std::string xml_escaped(const std::string& text);

/// The parts as test suites. A step is a class, a test of it a case; a part that does not build is one case with an
/// error.
[[nodiscard]] std::string junit_xml(const std::vector<PartResult>& parts);

/// Writes junit_xml to a file.
/// @throws std::runtime_error when it cannot be written
void write_junit(const std::filesystem::path& file, const std::vector<PartResult>& parts);

}  // namespace workbook::app
