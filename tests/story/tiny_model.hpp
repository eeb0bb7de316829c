/// @file
/// Small model files for tests of their reader, right ones and damaged ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace workbook::story {

/// A GGUF file that is being written. Values and tensors can be changed before.
class GgufWriter {
public:
    using Value = std::variant<std::uint32_t, float, std::string, std::vector<float>, std::vector<std::int32_t>,
                               std::vector<std::string>>;

    struct StoredTensor {
        std::vector<std::uint64_t> extents;  ///< the fastest first
        std::uint32_t type = 0;              ///< 0: float32, 1: float16
        std::string bytes;
        std::uint64_t moved = 0;  ///< added to its offset
    };

    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::map<std::string, Value> values;
    std::map<std::string, StoredTensor> tensors;

    /// The bytes of the file.
    [[nodiscard]] std::string file() const;
};

/// A Llama of 2 layers with random weights: D 8, H 4, Hkv 2, F 12, a context of 32 tokens, a vocabulary of the 256
/// bytes and a few pieces.
/// @param type  of the matrices, 0 or 1
[[nodiscard]] GgufWriter tiny_model(std::uint32_t type = 0);

}  // namespace workbook::story
