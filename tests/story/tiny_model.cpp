#include "tests/story/tiny_model.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <random>

namespace workbook::story {

namespace {

template <class Number>
std::string bytes_of(Number number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

std::string bytes_of(const std::string& text) {
    return bytes_of(std::uint64_t{text.size()}) + text;
}

// Numbers of the format's types.
std::uint32_t type_of(std::uint32_t /*element*/) {
    return 4;
}
std::uint32_t type_of(std::int32_t /*element*/) {
    return 5;
}
std::uint32_t type_of(float /*element*/) {
    return 6;
}
std::uint32_t type_of(const std::string& /*element*/) {
    return 8;
}

template <class Kind>
std::string typed(const Kind& value) {
    return bytes_of(type_of(value)) + bytes_of(value);
}

template <class Kind>
std::string typed(const std::vector<Kind>& list) {
    std::string bytes = bytes_of(std::uint32_t{9}) + bytes_of(type_of(Kind{})) + bytes_of(std::uint64_t{list.size()});
    for (const Kind& element : list) {
        bytes += bytes_of(element);
    }
    return bytes;
}

void pad(std::string& bytes) {
    bytes.resize((bytes.size() + 31) / 32 * 32);
}

// The half-precision number for one of the numbers k/64, |k| <= 64, that the weights are made of.
std::uint16_t as_half(float number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    if (number == 0) {
        return 0;
    }
    const std::uint32_t exponent = (bits >> 23U & 0xFFU) - 112;
    return static_cast<std::uint16_t>((bits >> 16U & 0x8000U) | exponent << 10U | (bits >> 13U & 0x3FFU));
}

GgufWriter::StoredTensor random_tensor(const std::vector<std::uint64_t>& extents, std::uint32_t type,
                                       std::mt19937& generator) {
    std::uint64_t size = 1;
    for (const std::uint64_t extent : extents) {
        size *= extent;
    }
    GgufWriter::StoredTensor tensor{extents, type, "", 0};
    for (std::uint64_t i = 0; i < size; ++i) {
        const auto number = static_cast<float>(static_cast<int>(generator() % 129) - 64) / 64;
        tensor.bytes += type == 0 ? bytes_of(number) : bytes_of(as_half(number));
    }
    return tensor;
}

}  // namespace

std::string GgufWriter::file() const {
    std::string head =
        magic + bytes_of(version) + bytes_of(std::uint64_t{tensors.size()}) + bytes_of(std::uint64_t{values.size()});
    for (const auto& [key, value] : values) {
        head += bytes_of(key) + std::visit([](const auto& kind) { return typed(kind); }, value);
    }
    std::string data;
    for (const auto& [name, tensor] : tensors) {
        head += bytes_of(name) + bytes_of(static_cast<std::uint32_t>(tensor.extents.size()));
        for (const std::uint64_t extent : tensor.extents) {
            head += bytes_of(extent);
        }
        head += bytes_of(tensor.type) + bytes_of(std::uint64_t{data.size()} + tensor.moved);
        data += tensor.bytes;
        pad(data);
    }
    pad(head);
    return head + data;
}

GgufWriter tiny_model(std::uint32_t type) {
    std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
    std::vector<std::int32_t> kinds{2, 3, 3};
    for (int byte = 0; byte < 256; ++byte) {
        std::array<char, 8> piece{};
        std::snprintf(piece.data(), piece.size(), "<0x%02X>", static_cast<unsigned>(byte));
        tokens.emplace_back(piece.data());
        kinds.push_back(6);
    }
    for (const char* piece : {"\u2581", "a", "b", "ab", "\u2581a", "ba", "\u00e9", "\u2581ab"}) {
        tokens.emplace_back(piece);
        kinds.push_back(1);
    }
    std::vector<float> scores(tokens.size(), 0);
    for (std::size_t token = 259; token < tokens.size(); ++token) {
        scores[token] = -static_cast<float>(token);
    }
    const std::uint64_t n_vocab = tokens.size();

    GgufWriter model;
    model.values = {{"general.architecture", std::string("llama")},
                    {"llama.context_length", 32U},
                    {"llama.embedding_length", 8U},
                    {"llama.block_count", 2U},
                    {"llama.feed_forward_length", 12U},
                    {"llama.attention.head_count", 4U},
                    {"llama.attention.head_count_kv", 2U},
                    {"llama.attention.layer_norm_rms_epsilon", 1e-5F},
                    {"llama.rope.dimension_count", 2U},
                    {"tokenizer.ggml.model", std::string("llama")},
                    {"tokenizer.ggml.tokens", tokens},
                    {"tokenizer.ggml.scores", scores},
                    {"tokenizer.ggml.token_type", kinds},
                    {"tokenizer.ggml.bos_token_id", 1U},
                    {"tokenizer.ggml.eos_token_id", 2U},
                    {"tokenizer.ggml.unknown_token_id", 0U}};
    std::mt19937 generator(7);
    const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& extents) {
        // Norms are in float32 in every model.
        model.tensors[name + ".weight"] = random_tensor(extents, extents.size() == 1 ? 0 : type, generator);
    };
    add("token_embd", {8, n_vocab});
    add("output", {8, n_vocab});
    add("output_norm", {8});
    for (const std::string block : {"blk.0.", "blk.1."}) {
        add(block + "attn_q", {8, 8});
        add(block + "attn_k", {8, 4});
        add(block + "attn_v", {8, 4});
        add(block + "attn_output", {8, 8});
        add(block + "attn_norm", {8});
        add(block + "ffn_gate", {8, 12});
        add(block + "ffn_up", {8, 12});
        add(block + "ffn_down", {12, 8});
        add(block + "ffn_norm", {8});
    }
    return model;
}

}  // namespace workbook::story
