#include "gguf.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

namespace workbook::story {

namespace {

static_assert(std::endian::native == std::endian::little, "GGUF files are little-endian");

enum ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };

constexpr std::uint32_t float32 = 0;
constexpr std::uint32_t float16 = 1;

std::string type_name(std::uint32_t type) {
    static const std::map<std::uint32_t, std::string> names{
        {2, "Q4_0"},  {3, "Q4_1"},  {6, "Q5_0"},  {7, "Q5_1"},  {8, "Q8_0"},  {9, "Q8_1"}, {10, "Q2_K"},
        {11, "Q3_K"}, {12, "Q4_K"}, {13, "Q5_K"}, {14, "Q6_K"}, {15, "Q8_K"}, {28, "F64"}, {30, "BF16"}};
    const auto found = names.find(type);
    return found == names.end() ? "of type " + std::to_string(type) : found->second;
}

// IEEE 754 half precision: a sign, 5 bits of exponent, 10 of fraction.
float from_half(std::uint16_t half) {
    const auto exponent = static_cast<int>((half >> 10U) & 0x1FU);
    const auto fraction = static_cast<float>(half & 0x3FFU);
    const float magnitude = exponent == 0   ? std::ldexp(fraction, -24)
                            : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                            : fraction == 0 ? std::numeric_limits<float>::infinity()
                                            : std::numeric_limits<float>::quiet_NaN();
    return (half & 0x8000U) != 0 ? -magnitude : magnitude;
}

std::string extents_text(const std::vector<std::uint64_t>& extents) {
    const std::vector<std::size_t> shape(extents.begin(), extents.end());
    return shape_text(shape);
}

[[noreturn]] void cannot_read(const std::filesystem::path& path, int error) {
    throw BadModel(path.string() + ": cannot be read: " + std::generic_category().message(error));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        cannot_read(path, errno);
    }
    struct stat status {};
    const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = regular && size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
    const int error = errno;
    close(file);
    if (!regular) {
        throw BadModel(path.string() + ": is no ordinary file");
    }
    if (memory == MAP_FAILED) {
        cannot_read(path, error);
    }
    bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    }
}

// Reads from front to back, and never beyond the end.
class Gguf::Cursor {
public:
    Cursor(const Gguf& file, std::span<const std::byte> bytes) : file_(file), bytes_(bytes) {}

    // What is read next, for messages.
    void enter(std::string field) { field_ = std::move(field); }

    [[nodiscard]] std::span<const std::byte> take(std::uint64_t size) {
        if (size > bytes_.size()) {
            refuse(std::to_string(size) + " bytes were expected here, but the file ends after " +
                   std::to_string(bytes_.size()));
        }
        const auto taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }

    template <class Number>
    [[nodiscard]] Number number() {
        Number number{};
        std::memcpy(&number, take(sizeof number).data(), sizeof number);
        return number;
    }

    [[nodiscard]] std::string text() {
        const auto bytes = take(number<std::uint64_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    [[nodiscard]] Value value(std::uint32_t type) {
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
            case string: return text();
            case array: return elements();
            default: refuse("has the unknown type " + std::to_string(type));
        }
    }

    [[noreturn]] void refuse(const std::string& why) const { file_.refuse(field_, why); }

    // What was not read yet.
    [[nodiscard]] std::span<const std::byte> rest() const { return bytes_; }

private:
    [[nodiscard]] bool flag() {
        const auto byte = number<std::uint8_t>();
        if (byte > 1) {
            refuse("0 or 1 was expected for true or false, got " + std::to_string(byte));
        }
        return byte == 1;
    }

    [[nodiscard]] Value elements() {
        const auto type = number<std::uint32_t>();
        const auto count = number<std::uint64_t>();
        // Every element takes a byte at least, so a count beyond that is refused before memory is asked for.
        if (count > bytes_.size()) {
            refuse("has " + std::to_string(count) + " elements, but the file ends after " +
                   std::to_string(bytes_.size()) + " bytes");
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
            numbers.push_back(as_double(value(type)));
        }
        return numbers;
    }

    [[nodiscard]] static double as_double(const Value& value) {
        return std::visit(
            [](const auto& number) {
                if constexpr (std::is_arithmetic_v<std::decay_t<decltype(number)>>) {
                    return static_cast<double>(number);
                } else {
                    return 0.0;  // arrays and texts do not get here
                }
            },
            value);
    }

    const Gguf& file_;
    std::span<const std::byte> bytes_;
    std::string field_ = "the file's head";
};

Gguf::Gguf(std::span<const std::byte> bytes, std::string name) : name_(std::move(name)) {
    Cursor cursor(*this, bytes);
    cursor.enter("magic");
    const auto magic = cursor.take(4);
    if (std::memcmp(magic.data(), "GGUF", 4) != 0) {
        cursor.refuse("is not \"GGUF\": this is no GGUF file");
    }
    cursor.enter("version");
    const auto version = cursor.number<std::uint32_t>();
    if (version != 2 && version != 3) {
        cursor.refuse("2 or 3 was expected, got " + std::to_string(version));
    }
    cursor.enter("tensor_count");
    const auto tensor_count = cursor.number<std::uint64_t>();
    cursor.enter("metadata_kv_count");
    const auto value_count = cursor.number<std::uint64_t>();
    read_values(cursor, value_count);
    read_tensors(cursor, tensor_count);

    const std::uint64_t alignment = has("general.alignment") ? whole_number("general.alignment") : 32;
    if (alignment == 0 || alignment % 8 != 0) {
        refuse("general.alignment", "a multiple of 8 was expected, got " + std::to_string(alignment));
    }
    cursor.enter("the gap before the tensors");
    const std::uint64_t past_boundary = (bytes.size() - cursor.rest().size()) % alignment;
    if (past_boundary != 0) {
        static_cast<void>(cursor.take(alignment - past_boundary));
    }
    for (auto& [tensor_name, tensor] : tensors_) {
        place(tensor_name, tensor, cursor.rest(), alignment);
    }
    expect_apart();
}

void Gguf::read_values(Cursor& cursor, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        cursor.enter("value " + std::to_string(i));
        const std::string key = cursor.text();
        cursor.enter(key);
        const auto type = cursor.number<std::uint32_t>();
        if (!values_.emplace(key, cursor.value(type)).second) {
            cursor.refuse("is there twice");
        }
    }
}

void Gguf::read_tensors(Cursor& cursor, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        cursor.enter("tensor " + std::to_string(i));
        const std::string name = cursor.text();
        cursor.enter(name);
        Stored tensor;
        const auto axes = cursor.number<std::uint32_t>();
        if (axes < 1 || axes > 4) {
            cursor.refuse("1 to 4 axes were expected, got " + std::to_string(axes));
        }
        for (std::uint32_t axis = 0; axis < axes; ++axis) {
            tensor.extents.push_back(cursor.number<std::uint64_t>());
        }
        tensor.type = cursor.number<std::uint32_t>();
        if (tensor.type != float32 && tensor.type != float16) {
            cursor.refuse("F32 or F16 was expected, but it is " + type_name(tensor.type) +
                          "; get the model in float32 or float16, not quantised");
        }
        tensor.offset = cursor.number<std::uint64_t>();
        if (!tensors_.emplace(name, tensor).second) {
            cursor.refuse("is there twice");
        }
    }
}

void Gguf::place(const std::string& name, Stored& tensor, std::span<const std::byte> data,
                 std::uint64_t alignment) const {
    if (tensor.offset % alignment != 0) {
        refuse(name, "its offset has to be a multiple of " + std::to_string(alignment) + ", got " +
                         std::to_string(tensor.offset));
    }
    if (tensor.offset > data.size()) {
        refuse(name, "its offset is " + std::to_string(tensor.offset) + ", but the file has only " +
                         std::to_string(data.size()) + " bytes of tensors");
    }
    const std::uint64_t room = data.size() - tensor.offset;
    std::uint64_t size = tensor.type == float32 ? 4 : 2;
    for (const std::uint64_t extent : tensor.extents) {
        if (extent == 0 || extent > room / size) {  // the product stays within the file, so it cannot wrap around
            refuse(name, "its shape is " + extents_text(tensor.extents) + ", for which the file has " +
                             std::to_string(room) + " bytes");
        }
        size *= extent;
    }
    tensor.bytes = data.subspan(tensor.offset, size);
}

// Tensors that share bytes would let a small file ask for any amount of memory.
void Gguf::expect_apart() const {
    std::map<std::uint64_t, std::string> by_offset;
    for (const auto& [name, tensor] : tensors_) {
        const auto [other, is_new] = by_offset.emplace(tensor.offset, name);
        if (!is_new) {
            refuse(name, "it lies where " + other->second + " lies");
        }
    }
    std::uint64_t end = 0;
    for (const auto& [offset, name] : by_offset) {
        if (offset < end) {
            refuse(name, "its offset is " + std::to_string(offset) + ", inside the tensor before it");
        }
        end = offset + tensors_.at(name).bytes.size();
    }
}

template <class Kind>
const Kind& Gguf::value(const std::string& key, std::string_view expected) const {
    const auto found = values_.find(key);
    if (found == values_.end()) {
        refuse(key, "is missing");
    }
    const auto* value = std::get_if<Kind>(&found->second);
    if (value == nullptr) {
        refuse(key, std::string(expected) + " was expected, got something else");
    }
    return *value;
}

std::uint64_t Gguf::whole_number(const std::string& key) const {
    const auto found = values_.find(key);
    if (found != values_.end() && std::holds_alternative<std::int64_t>(found->second)) {
        const auto number = std::get<std::int64_t>(found->second);
        if (number < 0) {
            refuse(key, "a whole number of at least 0 was expected, got " + std::to_string(number));
        }
        return static_cast<std::uint64_t>(number);
    }
    return value<std::uint64_t>(key, "a whole number");
}

double Gguf::number(const std::string& key) const {
    const auto number = value<double>(key, "a floating-point number");
    if (!std::isfinite(number)) {
        refuse(key, "a finite number was expected");
    }
    return number;
}

const std::string& Gguf::text(const std::string& key) const {
    return value<std::string>(key, "a text");
}

const std::vector<std::string>& Gguf::texts(const std::string& key) const {
    return value<std::vector<std::string>>(key, "a list of texts");
}

const std::vector<double>& Gguf::numbers(const std::string& key) const {
    return value<std::vector<double>>(key, "a list of numbers");
}

Tensor<1> Gguf::vector(const std::string& name, std::uint64_t size) {
    const std::vector<Scalar> numbers = elements(name, {size});
    Tensor<1> tensor(Tensor<1>::shape_type{numbers.size()});
    std::ranges::copy(numbers, tensor.begin());
    return tensor;
}

Matrix Gguf::matrix(const std::string& name, std::uint64_t rows, std::uint64_t cols) {
    const std::vector<Scalar> numbers = elements(name, {cols, rows});
    Matrix matrix({rows, cols});
    std::ranges::copy(numbers, matrix.begin());
    return matrix;
}

std::vector<Scalar> Gguf::elements(const std::string& name, const std::vector<std::uint64_t>& extents) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
        refuse(name, "this tensor is missing");
    }
    const Stored& tensor = found->second;
    if (tensor.extents != extents) {
        refuse(name, "shape " + extents_text(extents) + " was expected, got " + extents_text(tensor.extents));
    }
    read_.insert(name);
    const std::size_t width = tensor.type == float32 ? 4 : 2;
    std::vector<Scalar> numbers(tensor.bytes.size() / width);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::byte* bytes = tensor.bytes.data() + i * width;  // may not be aligned
        float number = 0;
        if (tensor.type == float32) {
            std::memcpy(&number, bytes, sizeof number);
        } else {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes, sizeof half);
            number = from_half(half);
        }
        if (!std::isfinite(number)) {
            refuse(name, "element " + std::to_string(i) + " is not a finite number");
        }
        numbers[i] = number;
    }
    return numbers;
}

void Gguf::expect_all_read() const {
    for (const auto& [name, tensor] : tensors_) {
        if (!read_.contains(name)) {
            refuse(name, "this tensor is not part of a Llama model as it is known here");
        }
    }
}

void Gguf::refuse(const std::string& field, const std::string& why) const {
    throw BadModel(name_ + ": " + field + ": " + why);
}

}  // namespace workbook::story
