/// @file
/// Reading files, and replacing them without a moment in which they are half written.
#pragma once

#include <filesystem>
#include <string>

namespace workbook::app {

/// The contents of a file; empty when it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes `text` beside `path` and then renames it, so that a reader, or a crash, finds either the old or the new
/// contents. Makes the folder when it is missing. A symbolic link stays one.
/// @throws std::runtime_error when it cannot be written; the old contents are still there then
void write_atomically(const std::filesystem::path& path, const std::string& text);

/// A file in the system's folder for such, which goes away with the object.
class TemporaryFile {
public:
    /// @throws std::runtime_error when it cannot be written
    explicit TemporaryFile(const std::string& text);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// A folder there, which goes away with the object and all that is in it.
class TemporaryFolder {
public:
    /// @throws std::runtime_error when it cannot be made
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace workbook::app
