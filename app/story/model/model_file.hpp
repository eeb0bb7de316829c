/// @file
/// The file of a model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>

/// A published model that tells stories through the workbook's attention.
namespace workbook::story {

/// A model file that cannot be used; the message names the file, the field, what was expected and what came.
class BadModel : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file mapped into memory: only what is looked at is read.
class MappedFile {
public:
    /// @throws BadModel when it cannot be read
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::span<const std::byte> bytes_;
};

}  // namespace workbook::story
