#include "app/story/model/llama.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace workbook::story {

namespace {

std::size_t at_least_one(const Gguf& file, const std::string& key) {
    const std::uint64_t number = file.whole_number(key);
    if (number == 0) {
        file.refuse(key, "at least 1 was expected, got 0");
    }
    return number;
}

// A value that may be missing, and otherwise can only be this one.
void expect_if_there(const Gguf& file, const std::string& key, std::uint64_t expected) {
    if (file.has(key) && file.whole_number(key) != expected) {
        file.refuse(key, fmt::format("{} was expected, got {}", expected, file.whole_number(key)));
    }
}

void expect_divides(const Gguf& file, const std::string& divisor_key, std::size_t divisor, const std::string& key,
                    std::size_t number) {
    if (number % divisor != 0) {
        file.refuse(divisor_key, fmt::format("{} does not divide {}, {}", divisor, key, number));
    }
}

AttentionConfig attention_config(const Gguf& file) {
    const std::string heads_key = "llama.attention.head_count";
    const std::string kv_heads_key = "llama.attention.head_count_kv";
    AttentionConfig config;
    config.d_model = at_least_one(file, "llama.embedding_length");
    config.n_heads = at_least_one(file, heads_key);
    config.n_kv_heads = file.has(kv_heads_key) ? at_least_one(file, kv_heads_key) : config.n_heads;
    expect_divides(file, heads_key, config.n_heads, "llama.embedding_length", config.d_model);
    expect_divides(file, kv_heads_key, config.n_kv_heads, heads_key, config.n_heads);
    if (config.head_dim() % 2 != 0) {
        file.refuse(heads_key, fmt::format("leaves heads of width {}, but rotary positions need an even width",
                                           config.head_dim()));
    }
    for (const char* key :
         {"llama.rope.dimension_count", "llama.attention.key_length", "llama.attention.value_length"}) {
        expect_if_there(file, key, config.head_dim());
    }
    const std::string base_key = "llama.rope.freq_base";
    config.rope_base = file.has(base_key) ? file.number(base_key) : 10000;
    if (*config.rope_base <= 0) {
        file.refuse(base_key, fmt::format("a number above 0 was expected, got {:f}", *config.rope_base));
    }
    return config;
}

LlamaConfig read_config(const Gguf& file) {
    const std::string& architecture = file.text("general.architecture");
    if (architecture != "llama") {
        file.refuse("general.architecture", fmt::format(R"("llama" was expected, got "{}")", architecture));
    }
    if (file.has("llama.rope.scaling.type") && file.text("llama.rope.scaling.type") != "none") {
        file.refuse("llama.rope.scaling.type", "scaled rotary positions are not known here");
    }
    expect_if_there(file, "llama.expert_count", 0);
    LlamaConfig config;
    config.attention = attention_config(file);
    config.n_layers = at_least_one(file, "llama.block_count");
    config.feed_forward_width = at_least_one(file, "llama.feed_forward_length");
    config.context_length = at_least_one(file, "llama.context_length");
    config.rms_epsilon = file.number("llama.attention.layer_norm_rms_epsilon");
    if (config.rms_epsilon <= 0) {
        file.refuse("llama.attention.layer_norm_rms_epsilon", "a number above 0 was expected");
    }
    config.n_vocab = file.texts("tokenizer.ggml.tokens").size();
    return config;
}

// A weight as a linear layer uses it, [in, out]; the file has it the other way round.
Matrix read_weight(Gguf& file, const std::string& name, std::size_t in, std::size_t out) {
    return xt::transpose(file.matrix(name, out, in));
}

Block read_block(Gguf& file, const LlamaConfig& config, std::size_t layer) {
    const std::string prefix = fmt::format("blk.{}.", layer);
    const std::size_t d_model = config.attention.d_model;
    const std::size_t kv_width = config.attention.n_kv_heads * config.attention.head_dim();
    const auto weight = [&](const char* name, std::size_t in, std::size_t out) {
        return read_weight(file, prefix + name + ".weight", in, out);
    };
    AttentionWeights attention{weight("attn_q", d_model, d_model), weight("attn_k", d_model, kv_width),
                               weight("attn_v", d_model, kv_width), weight("attn_output", d_model, d_model)};
    return {
        file.vector(prefix + "attn_norm.weight", d_model),    Attention(config.attention, std::move(attention)),
        file.vector(prefix + "ffn_norm.weight", d_model),     weight("ffn_gate", d_model, config.feed_forward_width),
        weight("ffn_up", d_model, config.feed_forward_width), weight("ffn_down", config.feed_forward_width, d_model)};
}

// silu(gate) · up for each element.
void gate_by_silu(Tensor<3>& gate, const Tensor<3>& up) {
    std::ranges::transform(gate, up, gate.begin(), [](Scalar a, Scalar b) { return a / (1 + std::exp(-a)) * b; });
}

}  // namespace

Llama::Llama(Gguf& file) : config_(read_config(file)) {
    const std::size_t d_model = config_.attention.d_model;
    embedding_ = file.matrix("token_embd.weight", config_.n_vocab, d_model);
    for (std::size_t layer = 0; layer < config_.n_layers; ++layer) {
        blocks_.push_back(read_block(file, config_, layer));
    }
    output_norm_ = file.vector("output_norm.weight", d_model);
    // Some models use the embedding for the output too.
    output_ = file.has_tensor("output.weight") ? read_weight(file, "output.weight", d_model, config_.n_vocab)
                                               : Matrix(xt::transpose(embedding_));
    file.expect_all_read();
}

reference::ModelShape Llama::shape() const {
    const AttentionConfig& attention = config_.attention;
    const std::size_t d_model = attention.d_model;
    const std::size_t kv_width = attention.n_kv_heads * attention.head_dim();
    const std::size_t per_layer =
        2 * d_model * (d_model + kv_width) + 3 * d_model * config_.feed_forward_width + 2 * d_model;
    reference::ModelShape shape;
    shape.n_layers = config_.n_layers;
    shape.d_model = d_model;
    shape.n_heads = attention.n_heads;
    shape.n_kv_heads = attention.n_kv_heads;
    shape.head_dim = attention.head_dim();
    shape.bytes_per_element = sizeof(Scalar);
    shape.parameters = config_.n_layers * per_layer + embedding_.size() + output_norm_.size() + output_.size();
    shape.lookup_parameters = embedding_.size();
    return shape;
}

Tensor<3> Llama::hidden(const TokenSlots& tokens, const Attend& attend) const {
    const std::size_t d_model = config_.attention.d_model;
    Tensor<3> x({tokens.shape(0), tokens.shape(1), d_model});  // [B, T, D]
    auto* next = x.data();
    for (const TokenId token : tokens) {
        next = std::copy_n(embedding_.data() + token * d_model, d_model, next);
    }
    for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
        const Block& block = blocks_[layer];
        x += attend(layer, rms_norm(x, block.attention_norm, config_.rms_epsilon));
        x += feed_forward(block, rms_norm(x, block.feed_forward_norm, config_.rms_epsilon));
    }
    return rms_norm(x, output_norm_, config_.rms_epsilon);
}

Tensor<3> rms_norm(const Tensor<3>& x, const Tensor<1>& weight, double epsilon) {
    const std::size_t d_model = weight.size();
    Tensor<3> normalised(x.shape());
    auto* out = normalised.data();
    for (const auto* in = x.data(); in != x.data() + x.size(); in += d_model) {
        double squares = 0;
        for (std::size_t c = 0; c < d_model; ++c) {
            squares += static_cast<double>(in[c]) * static_cast<double>(in[c]);
        }
        const auto scale = static_cast<Scalar>(1 / std::sqrt(squares / static_cast<double>(d_model) + epsilon));
        out = std::transform(in, in + d_model, weight.begin(), out, [=](Scalar a, Scalar w) { return a * scale * w; });
    }
    return normalised;
}

Tensor<3> feed_forward(const Block& block, const Tensor<3>& x) {
    Tensor<3> gate = linear(x, block.gate);  // [B, T, F]
    gate_by_silu(gate, linear(x, block.up));
    return linear(gate, block.down);  // [B, T, D]
}

}  // namespace workbook::story
