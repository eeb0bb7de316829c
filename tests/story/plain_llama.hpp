/// @file
/// The same model as plain loops over plain arrays, with a cache that is an array too: what the story's model is
/// compared with, in what it computes and in how fast it is.
#pragma once

#include <vector>

#include "app/story/model/llama.hpp"

namespace workbook::story {

/// Reads one text, token by token. The weights are copied, each row the inputs of one output.
class PlainLlama {
public:
    /// @param max_len  the most tokens
    PlainLlama(const Llama& model, std::size_t max_len);

    /// Reads the next token.
    /// @return the logits after it, [V]
    [[nodiscard]] std::vector<Scalar> read(TokenId token);

private:
    using Vector = std::vector<Scalar>;

    // [out, in]
    struct Weight {
        std::size_t in = 0;
        Vector elements;
    };

    struct Layer {
        Vector attention_norm, feed_forward_norm;
        Weight wq, wk, wv, wo, gate, up, down;
        Vector keys, values;  // [max_len, Hkv·d]
    };

    static Weight transposed(const Matrix& weight);
    static Vector product(const Weight& weight, const Vector& x);
    [[nodiscard]] Vector normalised(const Vector& x, const Vector& weight) const;
    void rotate(Vector& heads) const;
    [[nodiscard]] Vector attention(Layer& layer, const Vector& x) const;
    void mix_head(const Layer& layer, const Vector& q, std::size_t head, Vector& mixed) const;
    [[nodiscard]] static Vector feed_forward(const Layer& layer, const Vector& x);

    LlamaConfig config_;
    Vector embedding_;  // [V, D]
    std::vector<Layer> layers_;
    Vector output_norm_;
    Weight output_;
    std::size_t position_ = 0;
};

}  // namespace workbook::story
