#include "app/story/model/gguf_cursor.hpp"

#include <fmt/format.h>

#include <bit>

namespace workbook::story {

namespace {

static_assert(std::endian::native == std::endian::little, "GGUF files are little-endian");

enum ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };

}  // namespace

std::span<const std::byte> GgufCursor::take(std::uint64_t size) {
    if (size > bytes_.size()) {
        refuse(fmt::format("{} bytes were expected here, but the file ends after {}", size, bytes_.size()));
    }
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
}

std::string GgufCursor::text() {
    const auto bytes = take(number<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

GgufValue GgufCursor::value(std::uint32_t type) {
    switch (type) {
        case string: return text();
        case array: return elements();
        default: return std::visit([](auto number) { return GgufValue(number); }, number_of(type));
    }
}

GgufNumber GgufCursor::number_of(std::uint32_t type) {
    switch (type) {
        case boolean: return flag();
        case u8: return std::uint64_t{number<std::uint8_t>()};
        case u16: return std::uint64_t{number<std::uint16_t>()};
        case u32: return std::uint64_t{number<std::uint32_t>()};
        case u64: return number<std::uint64_t>();
        case i8: return std::int64_t{number<std::int8_t>()};
        case i16: return std::int64_t{number<std::int16_t>()};
        case i32: return std::int64_t{number<std::int32_t>()};
        case i64: return number<std::int64_t>();
        case f32: return double{number<float>()};
        case f64: return number<double>();
        default: refuse(fmt::format("has the unknown type {}", type));
    }
}

bool GgufCursor::flag() {
    const auto byte = number<std::uint8_t>();
    if (byte > 1) {
        refuse(fmt::format("0 or 1 was expected for true or false, got {}", byte));
    }
    return byte == 1;
}

GgufValue GgufCursor::elements() {
    const auto type = number<std::uint32_t>();
    const auto count = number<std::uint64_t>();
    // Every element takes a byte at least, so a count beyond that is refused before memory is asked for.
    if (count > bytes_.size()) {
        refuse(fmt::format("has {} elements, but the file ends after {} bytes", count, bytes_.size()));
    }
    if (type == array) {
        refuse("is an array of arrays, which no Llama model needs");
    }
    if (type == string) {
        std::vector<std::string> texts;
        for (std::uint64_t i = 0; i < count; ++i) {
            texts.push_back(text());
        }
        return texts;
    }
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < count; ++i) {
        numbers.push_back(std::visit([](auto number) { return static_cast<double>(number); }, number_of(type)));
    }
    return numbers;
}

void GgufCursor::refuse(const std::string& why) const {
    throw BadModel(fmt::format("{}: {}: {}", name_, field_, why));
}

}  // namespace workbook::story
