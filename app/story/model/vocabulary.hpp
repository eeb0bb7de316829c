/// @file
/// The words of a model: from text to tokens and back, by sentence-piece byte-pair encoding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/story/model/gguf.hpp"

namespace workbook::story {

/// The number of a token in the vocabulary.
using TokenId = std::uint32_t;

/// A text as tokens.
using Tokens = std::vector<TokenId>;

/// The vocabulary of a model file. It holds pieces of text, in which "▁" stands for a space; one token for each of the
/// 256 bytes, for what no piece spells; and tokens that stand for no text, such as the beginning of a sequence.
class Vocabulary {
public:
    /// @throws BadModel when it is missing, inconsistent, or of another kind
    explicit Vocabulary(const Gguf& file);

    [[nodiscard]] std::size_t size() const { return pieces_.size(); }  ///< V

    /// A prompt: the beginning of the sequence and the text.
    [[nodiscard]] Tokens prompt(std::string_view text) const;

    /// The text as tokens. Pieces are joined as long as a joined one is in the vocabulary, the one with the best score
    /// first, and of equals the leftmost.
    [[nodiscard]] Tokens encode(std::string_view text) const;

    /// The bytes that a token stands for; they need not be whole characters.
    [[nodiscard]] const std::string& bytes(TokenId token) const { return bytes_.at(token); }

    /// A token as a message shows it: "▁once", "<0x0A>".
    [[nodiscard]] const std::string& piece(TokenId token) const { return pieces_.at(token); }

    /// Whether a text ends here: at the end of the sequence, or where the next one begins.
    [[nodiscard]] bool ends_text(TokenId token) const { return token == begin_ || token == end_; }

private:
    [[nodiscard]] TokenId token_in(const Gguf& file, const std::string& key) const;
    void read_bytes(const Gguf& file);
    // A piece that may not be in the vocabulary.
    void spell(std::string_view piece, Tokens& tokens) const;

    std::vector<std::string> pieces_;
    std::vector<std::string> bytes_;
    std::vector<double> scores_;
    std::unordered_map<std::string, TokenId> by_piece_;
    std::vector<std::optional<TokenId>> by_byte_;
    TokenId unknown_ = 0;
    TokenId begin_ = 0;
    TokenId end_ = 0;
};

}  // namespace workbook::story
