/// @file
/// Reads GGUF, the file format of published models: named values, and named tensors of numbers. The format is described
/// at https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Versions 2 and 3, tensors in float32 or float16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/story/model/gguf_cursor.hpp"
#include "part1_mha/tensor.hpp"

namespace workbook::story {

/// The contents of a GGUF file. Everything that says where something lies is checked when the object is made; what a
/// value or a tensor has to be is checked when it is asked for. Every function may throw BadModel.
class Gguf {
public:
    /// @param bytes  the whole file; has to outlive the object
    /// @param name   of the file, for messages
    Gguf(std::span<const std::byte> bytes, std::string name);

    [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
    [[nodiscard]] std::uint64_t whole_number(const std::string& key) const;
    [[nodiscard]] double number(const std::string& key) const;
    [[nodiscard]] const std::string& text(const std::string& key) const;
    [[nodiscard]] const std::vector<std::string>& texts(const std::string& key) const;
    [[nodiscard]] const std::vector<double>& numbers(const std::string& key) const;

    [[nodiscard]] bool has_tensor(const std::string& name) const { return tensors_.contains(name); }

    /// A tensor of one axis.
    [[nodiscard]] Tensor<1> vector(const std::string& name, std::uint64_t size);

    /// A tensor of two axes, row-major. The file names the extents in the other order.
    [[nodiscard]] Matrix matrix(const std::string& name, std::uint64_t rows, std::uint64_t cols);

    /// Refuses a file with tensors that nobody has asked for: the model is then another one than its reader thinks.
    void expect_all_read() const;

    /// Refuses the file because of a field.
    [[noreturn]] void refuse(const std::string& field, const std::string& why) const;

private:
    struct Stored {
        std::vector<std::uint64_t> extents;  // the fastest first, as in the file
        std::uint32_t type = 0;
        std::uint64_t offset = 0;  // from the beginning of the tensors' data
        std::span<const std::byte> bytes;
    };

    void read_values(GgufCursor& cursor, std::uint64_t count);
    void read_tensors(GgufCursor& cursor, std::uint64_t count);
    void place(const std::string& name, Stored& tensor, std::span<const std::byte> data, std::uint64_t alignment) const;
    void expect_apart() const;
    template <class Kind>
    [[nodiscard]] const Kind& value(const std::string& key, std::string_view expected) const;
    // Elements of a tensor that has to have these extents.
    std::vector<Scalar> elements(const std::string& name, const std::vector<std::uint64_t>& extents);

    std::string name_;
    std::map<std::string, GgufValue> values_;
    std::map<std::string, Stored> tensors_;
    std::set<std::string> read_;
};

}  // namespace workbook::story
