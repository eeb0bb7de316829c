/// @file
/// The compiler's warnings about a learner's file, kept for the runs in which nothing has to be compiled.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::app {

/// The warnings about the present contents of a learner's file: those of this build when it compiled the file,
/// otherwise those that the build which did compile it left beside `place`.
/// @param place  the generated source that includes the file; its text has a fingerprint of the contents
/// @param log    what this build printed
/// @param found  the warnings in it
[[nodiscard]] std::string warnings_about(const std::filesystem::path& place, const std::string& log,
                                         const std::string& found);

}  // namespace workbook::app
