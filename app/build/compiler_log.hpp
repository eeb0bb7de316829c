/// @file
/// What a build's log says to the author of a file that does not compile.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace workbook::app {

/// One line of a file.
[[nodiscard]] std::string source_line(const std::filesystem::path& file, const std::string& number);

/// What a build log says about one file, for its author.
struct Digest {
    /// Errors at the file's own lines, with the line's text. Templates of libraries are left out: an error inside one
    /// is shown at the line of the file that led there.
    std::string errors;
    /// Warnings at the file's own lines.
    std::string warnings;
    /// The lines of the errors, in the order of the log.
    std::vector<std::size_t> error_lines;
};

/// Reads a log of g++ or clang++.
/// @param name  how to call the file in the messages
/// @param most  how many messages of a kind to show
/// @param wanted  whether to take in what is said of a line; of every one when it is empty
[[nodiscard]] Digest digest(const std::string& log, const std::filesystem::path& file, const std::string& name,
                            std::size_t most = 3, const std::function<bool(std::size_t line)>& wanted = {});

/// Functions that the linker misses or finds twice.
[[nodiscard]] std::string link_errors(const std::string& log);

/// The first lines of a build log that speak of an error, for a log that has nothing about the graded file.
[[nodiscard]] std::string first_errors(const std::string& log, std::size_t most = 5);

}  // namespace workbook::app
