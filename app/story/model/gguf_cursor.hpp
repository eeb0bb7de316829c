/// @file
/// Reads the parts that a GGUF file is made of.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/story/model/model_file.hpp"

namespace workbook::story {

/// A number of any of the format's types.
using GgufNumber = std::variant<bool, std::uint64_t, std::int64_t, double>;

/// A named value of a file.
using GgufValue =
    std::variant<bool, std::uint64_t, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>>;

/// Reads from front to back, and never beyond the end. Every function may throw BadModel.
class GgufCursor {
public:
    /// @param name   of the file, for messages
    /// @param bytes  the whole file
    GgufCursor(std::string name, std::span<const std::byte> bytes) : name_(std::move(name)), bytes_(bytes) {}

    /// Says what is read next, for messages.
    void enter(std::string field) { field_ = std::move(field); }

    [[nodiscard]] std::span<const std::byte> take(std::uint64_t size);

    template <class Number>
    [[nodiscard]] Number number() {
        Number number{};
        std::memcpy(&number, take(sizeof number).data(), sizeof number);
        return number;
    }

    [[nodiscard]] std::string text();

    /// @param type  as the format numbers them
    [[nodiscard]] GgufValue value(std::uint32_t type);

    /// What was not read yet.
    [[nodiscard]] std::span<const std::byte> rest() const { return bytes_; }

    /// Refuses the file because of what is read now.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    [[nodiscard]] bool flag();
    [[nodiscard]] GgufNumber number_of(std::uint32_t type);
    [[nodiscard]] GgufValue elements();

    std::string name_;
    std::span<const std::byte> bytes_;
    std::string field_;
};

}  // namespace workbook::story
