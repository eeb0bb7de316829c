/// @file
/// Texts that a model reads on, some tokens at a time, with or without a cache.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "app/story/model/llama.hpp"
#include "part2_kv_cache/kv_cache.hpp"

namespace workbook::story {

/// Whether keys and values are kept from call to call, or every call runs all tokens again.
enum class Caching { on, off };

/// Sees every call of a layer: x [B, T, D] went in and y [B, T, D] came out. `n_new[b]` of the T slots are tokens.
using Observer = std::function<void(std::size_t layer, const Tensor<3>& x, const Lengths& n_new, const Tensor<3>& y)>;

/// The attention that is tried out threw an exception or gave another shape; the message names the layer.
class AttentionFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The texts of a batch, as far as the model has read them. With a cache, each layer has one, allocated at the start.
class Session {
public:
    /// @param model    has to outlive the session
    /// @param batch    B
    /// @param max_len  the most tokens that a text will have
    /// @param caching  whether there are caches
    Session(const Llama& model, std::size_t batch, std::size_t max_len, Caching caching);

    /// Has every call of a layer seen.
    void observe(Observer observer) { observer_ = std::move(observer); }

    /// Reads on: row b goes on with the tokens new_tokens[b], which may be none.
    /// @return  hidden states of the new tokens, [B, T, D], T the longest row's; behind shorter rows is padding
    /// @throws NotImplemented when the attention needs a step that is still empty
    /// @throws AttentionFailed
    Tensor<3> read(const std::vector<Tokens>& new_tokens);

    /// Bytes of all caches; 0 without.
    [[nodiscard]] std::size_t cache_bytes() const;

private:
    Tensor<3> read_with_cache(const std::vector<Tokens>& new_tokens);
    Tensor<3> read_all_again(const std::vector<Tokens>& new_tokens);
    // Calls the attention of a layer and checks what it gives. A call that never ends is ended with the program.
    Tensor<3> guarded(std::size_t layer, const Tensor<3>& x, const Lengths& n_new,
                      const std::function<Tensor<3>()>& call) const;
    [[nodiscard]] std::size_t longest_text() const;

    const Llama& model_;
    Caching caching_;
    std::vector<KVCache> caches_;  // one for each layer
    std::vector<Tokens> texts_;    // [B]
    Observer observer_;
};

/// The number of tokens in each row.
[[nodiscard]] Lengths lengths_of(const std::vector<Tokens>& rows);

/// The hidden state of each row's last token.
/// @param hidden  [B, T, D]
/// @param n_new   [B], at least 1 each for rows that matter
/// @return        [B, 1, D]
[[nodiscard]] Tensor<3> last_of_each(const Tensor<3>& hidden, const Lengths& n_new);

}  // namespace workbook::story
