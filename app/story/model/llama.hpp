/// @file
/// A Llama: embedding, blocks of attention and feed-forward, output head. How attention works is not known here; the
/// blocks hold the workbook's Attention, and who runs the model says how it is called.
#pragma once

#include <functional>
#include <vector>

#include "app/story/model/gguf.hpp"
#include "app/story/model/vocabulary.hpp"
#include "part1_mha/attention.hpp"
#include "reference/cost_model.hpp"

namespace workbook::story {

/// The extents and constants of a model.
struct LlamaConfig {
    std::size_t n_layers = 0;
    std::size_t n_vocab = 0;             ///< V
    std::size_t feed_forward_width = 0;  ///< F
    std::size_t context_length = 0;      ///< the most tokens of a text
    double rms_epsilon = 0;
    AttentionConfig attention;  ///< of every layer
};

/// One block: attention and feed-forward, each on the normalised hidden state and added to it.
struct Block {
    Tensor<1> attention_norm;  ///< [D]
    Attention attention;
    Tensor<1> feed_forward_norm;  ///< [D]
    Matrix gate;                  ///< [D, F]
    Matrix up;                    ///< [D, F]
    Matrix down;                  ///< [F, D]
};

/// Tokens of a call, [B, T].
using TokenSlots = xt::xtensor<TokenId, 2, xt::layout_type::row_major>;

/// Calls the attention of a layer: x [B, T, D] gives [B, T, D].
using Attend = std::function<Tensor<3>(std::size_t layer, const Tensor<3>& x)>;

/// A model with its weights.
class Llama {
public:
    /// @throws BadModel when a value or a tensor is missing or does not fit, or the model is no Llama as it is known
    /// here
    explicit Llama(Gguf& file);

    [[nodiscard]] const LlamaConfig& config() const { return config_; }
    [[nodiscard]] const Block& block(std::size_t layer) const { return blocks_.at(layer); }
    [[nodiscard]] const Matrix& embedding() const { return embedding_; }         ///< [V, D]
    [[nodiscard]] const Tensor<1>& output_norm() const { return output_norm_; }  ///< [D]
    [[nodiscard]] const Matrix& output() const { return output_; }               ///< [D, V]

    /// The model as the cost model sees it, with elements of type Scalar.
    [[nodiscard]] reference::ModelShape shape() const;

    /// Runs tokens through all blocks and the last norm.
    /// @param tokens  [B, T], each below V
    /// @param attend  called once for each layer
    /// @return        [B, T, D]
    [[nodiscard]] Tensor<3> hidden(const TokenSlots& tokens, const Attend& attend) const;

    /// Scores of every token to come next, after each hidden state.
    /// @param hidden  [B, T, D], from hidden()
    /// @return        [B, T, V]
    [[nodiscard]] Tensor<3> logits(const Tensor<3>& hidden) const { return linear(hidden, output_); }

private:
    LlamaConfig config_;
    Matrix embedding_;
    std::vector<Block> blocks_;
    Tensor<1> output_norm_;
    Matrix output_;
};

/// Divides every hidden state by its root mean square and multiplies channel c by weight(c).
/// @param x        [B, T, D]
/// @param weight   [D]
/// @param epsilon  added to the mean square
/// @return         [B, T, D]
[[nodiscard]] Tensor<3> rms_norm(const Tensor<3>& x, const Tensor<1>& weight, double epsilon);

/// The feed-forward network of a block, SwiGLU: (silu(x · gate) · (x · up)) · down, where silu(a) = a / (1 + exp(-a)).
/// @param block  holds the three weights
/// @param x      [B, T, D]
/// @return       [B, T, D]
[[nodiscard]] Tensor<3> feed_forward(const Block& block, const Tensor<3>& x);

}  // namespace workbook::story
