/// @file
/// Builds what is to be graded, and says what is wrong with a file that does not compile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace workbook::grader {

/// How a build ended.
struct BuildResult {
    bool succeeded = false;
    std::string log;  ///< everything the build printed
};

/// Builds targets of an existing build folder. Shows a line of progress on a terminal when it takes a while.
[[nodiscard]] BuildResult build(const std::filesystem::path& build_dir, const std::vector<std::string>& targets);

/// What a reader of `file` needs of a build log: the errors (or the warnings when there is no error) at the file's own
/// lines, with the line's text, and functions that it does not define. Templates of libraries are left out; an error
/// inside one is shown at the line of `file` that led there. Empty when the log has nothing about the file.
/// @param most  how many messages to show
[[nodiscard]] std::string digest(const std::string& log, const std::filesystem::path& file, std::size_t most = 3);

/// The first lines of a build log that speak of an error, for a log that has nothing about the graded file.
[[nodiscard]] std::string first_errors(const std::string& log, std::size_t most = 5);

}  // namespace workbook::grader
