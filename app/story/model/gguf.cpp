#include "app/story/model/gguf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace workbook::story {

namespace {

constexpr std::uint32_t float32 = 0;
constexpr std::uint32_t float16 = 1;

std::string type_name(std::uint32_t type) {
    static const std::map<std::uint32_t, std::string> names{
        {2, "Q4_0"},  {3, "Q4_1"},  {6, "Q5_0"},  {7, "Q5_1"},  {8, "Q8_0"},  {9, "Q8_1"}, {10, "Q2_K"},
        {11, "Q3_K"}, {12, "Q4_K"}, {13, "Q5_K"}, {14, "Q6_K"}, {15, "Q8_K"}, {28, "F64"}, {30, "BF16"}};
    const auto found = names.find(type);
    return found == names.end() ? fmt::format("of type {}", type) : found->second;
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

}  // namespace

Gguf::Gguf(std::span<const std::byte> bytes, std::string name) : name_(std::move(name)) {
    GgufCursor cursor(name_, bytes);
    cursor.enter("magic");
    const auto magic = cursor.take(4);
    if (std::memcmp(magic.data(), "GGUF", 4) != 0) {
        cursor.refuse("is not \"GGUF\": this is not a GGUF file");
    }
    cursor.enter("version");
    const auto version = cursor.number<std::uint32_t>();
    if (version != 2 && version != 3) {
        cursor.refuse(fmt::format("2 or 3 was expected, got {}", version));
    }
    cursor.enter("tensor_count");
    const auto tensor_count = cursor.number<std::uint64_t>();
    cursor.enter("metadata_kv_count");
    const auto value_count = cursor.number<std::uint64_t>();
    read_values(cursor, value_count);
    read_tensors(cursor, tensor_count);

    const std::uint64_t alignment = has("general.alignment") ? whole_number("general.alignment") : 32;
    if (alignment == 0 || alignment % 8 != 0) {
        refuse("general.alignment", fmt::format("a multiple of 8 was expected, got {}", alignment));
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

void Gguf::read_values(GgufCursor& cursor, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        cursor.enter(fmt::format("value {}", i));
        const std::string key = cursor.text();
        cursor.enter(key);
        const auto type = cursor.number<std::uint32_t>();
        if (!values_.emplace(key, cursor.value(type)).second) {
            cursor.refuse("is there twice");
        }
    }
}

void Gguf::read_tensors(GgufCursor& cursor, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        cursor.enter(fmt::format("tensor {}", i));
        const std::string name = cursor.text();
        cursor.enter(name);
        Stored tensor;
        const auto axes = cursor.number<std::uint32_t>();
        if (axes < 1 || axes > 4) {
            cursor.refuse(fmt::format("1 to 4 axes were expected, got {}", axes));
        }
        for (std::uint32_t axis = 0; axis < axes; ++axis) {
            tensor.extents.push_back(cursor.number<std::uint64_t>());
        }
        tensor.type = cursor.number<std::uint32_t>();
        if (tensor.type != float32 && tensor.type != float16) {
            cursor.refuse(
                fmt::format("F32 or F16 was expected, but it is {}; get the model in float32 or float16, not quantised",
                            type_name(tensor.type)));
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
        refuse(name, fmt::format("its offset has to be a multiple of {}, got {}", alignment, tensor.offset));
    }
    if (tensor.offset > data.size()) {
        refuse(name,
               fmt::format("its offset is {}, but the file has only {} bytes of tensors", tensor.offset, data.size()));
    }
    const std::uint64_t room = data.size() - tensor.offset;
    std::uint64_t size = tensor.type == float32 ? 4 : 2;
    for (const std::uint64_t extent : tensor.extents) {
        if (extent == 0 || extent > room / size) {  // the product stays within the file, so it cannot wrap around
            refuse(name,
                   fmt::format("its shape is {}, for which the file has {} bytes", extents_text(tensor.extents), room));
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
            refuse(name, fmt::format("it lies where {} lies", other->second));
        }
    }
    std::uint64_t end = 0;
    for (const auto& [offset, name] : by_offset) {
        if (offset < end) {
            refuse(name, fmt::format("its offset is {}, inside the tensor before it", offset));
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
        refuse(key, fmt::format("{} was expected, got something else", expected));
    }
    return *value;
}

std::uint64_t Gguf::whole_number(const std::string& key) const {
    const auto found = values_.find(key);
    if (found != values_.end() && std::holds_alternative<std::int64_t>(found->second)) {
        const auto number = std::get<std::int64_t>(found->second);
        if (number < 0) {
            refuse(key, fmt::format("a whole number of at least 0 was expected, got {}", number));
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
        refuse(name, fmt::format("shape {} was expected, got {}", extents_text(extents), extents_text(tensor.extents)));
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
            refuse(name, fmt::format("element {} is not a finite number", i));
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
    throw BadModel(fmt::format("{}: {}: {}", name_, field, why));
}

}  // namespace workbook::story
