#include "app/story/model/vocabulary.hpp"

#include <fmt/format.h>

#include <charconv>
#include <queue>

#include "app/base/text.hpp"
#include "app/base/utf8.hpp"

namespace workbook::story {

namespace {

// As the file numbers them.
enum Kind { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

using app::character_size;
using app::replaced;

constexpr std::string_view space = "\u2581";

// "<0x0A>" is 10.
std::optional<std::uint8_t> byte_of(const std::string& piece) {
    std::uint8_t number = 0;
    const bool in_form = piece.size() == 6 && piece.starts_with("<0x") && piece.ends_with(">");
    const char* digits = piece.data() + 3;
    if (!in_form || std::from_chars(digits, digits + 2, number, 16).ptr != digits + 2) {
        return std::nullopt;
    }
    return number;
}

// A piece of the text while neighbours are being joined. A piece that was joined to its left neighbour is empty.
struct Symbol {
    std::string_view text;
    std::size_t left, right;  // neighbours; `none` at the ends
};

constexpr auto none = static_cast<std::size_t>(-1);

std::vector<Symbol> characters_of(std::string_view text) {
    std::vector<Symbol> symbols;
    while (!text.empty()) {
        const std::size_t size = std::min(character_size(text.front()), text.size());
        const std::size_t at = symbols.size();
        symbols.push_back({text.substr(0, size), at == 0 ? none : at - 1, size < text.size() ? at + 1 : none});
        text.remove_prefix(size);
    }
    return symbols;
}

// Two neighbours that may be joined; out of date when one of them has changed since.
struct Pair {
    double score;
    std::size_t left, right;
    std::size_t size;

    // The queue hands out the largest: the best score, then the leftmost.
    bool operator<(const Pair& other) const { return score != other.score ? score < other.score : left > other.left; }
};

}  // namespace

Vocabulary::Vocabulary(const Gguf& file) {
    const std::string& model = file.text("tokenizer.ggml.model");
    if (model != "llama") {
        file.refuse("tokenizer.ggml.model", fmt::format(R"("llama" (sentence-piece) was expected, got "{}")", model));
    }
    pieces_ = file.texts("tokenizer.ggml.tokens");
    scores_ = file.numbers("tokenizer.ggml.scores");
    if (pieces_.empty() || scores_.size() != pieces_.size()) {
        file.refuse("tokenizer.ggml.scores", fmt::format("as many as tokens were expected, {} and at least 1, got {}",
                                                         pieces_.size(), scores_.size()));
    }
    read_bytes(file);
    begin_ = token_in(file, "tokenizer.ggml.bos_token_id");
    end_ = token_in(file, "tokenizer.ggml.eos_token_id");
    unknown_ = file.has("tokenizer.ggml.unknown_token_id") ? token_in(file, "tokenizer.ggml.unknown_token_id") : 0;
}

TokenId Vocabulary::token_in(const Gguf& file, const std::string& key) const {
    const std::uint64_t token = file.whole_number(key);
    if (token >= size()) {
        file.refuse(key, fmt::format("a token below {} was expected, got {}", size(), token));
    }
    return static_cast<TokenId>(token);
}

void Vocabulary::read_bytes(const Gguf& file) {
    const std::string key = "tokenizer.ggml.token_type";
    const std::vector<double>& kinds = file.numbers(key);
    if (kinds.size() != size()) {
        file.refuse(key, fmt::format("as many as tokens were expected, {}, got {}", size(), kinds.size()));
    }
    by_byte_.resize(256);
    for (TokenId token = 0; token < size(); ++token) {
        const auto kind = static_cast<int>(kinds[token] >= 0 && kinds[token] <= 6 ? kinds[token] : 0);
        if (kind == normal || kind == user_defined) {
            by_piece_.emplace(pieces_[token], token);
            bytes_.push_back(replaced(pieces_[token], space, " "));
        } else if (kind == byte) {
            const auto number = byte_of(pieces_[token]);
            if (!number) {
                file.refuse("tokenizer.ggml.tokens",
                            fmt::format(R"(token {} is a byte, so "<0x00>" to "<0xFF>" was expected, got "{}")", token,
                                        pieces_[token]));
            }
            by_byte_[*number] = token;
            bytes_.emplace_back(1, static_cast<char>(*number));
        } else if (kind == unknown || kind == control || kind == unused) {
            bytes_.emplace_back();
        } else {
            file.refuse(key, fmt::format("a kind from 1 to 6 was expected for token {}", token));
        }
    }
}

Tokens Vocabulary::prompt(std::string_view text) const {
    Tokens tokens{begin_};
    const Tokens of_text = encode(text);
    tokens.insert(tokens.end(), of_text.begin(), of_text.end());
    return tokens;
}

Tokens Vocabulary::encode(std::string_view text) const {
    if (text.empty()) {
        return {};
    }
    // Sentence-piece puts a space in front, so that a word is the same token at the beginning and inside of a text.
    const std::string spaced = replaced(" " + std::string(text), " ", space);
    std::vector<Symbol> symbols = characters_of(spaced);
    std::priority_queue<Pair> pairs;
    const auto consider = [&](std::size_t left, std::size_t right) {
        if (left == none || right == none) {
            return;
        }
        const std::size_t joined = symbols[left].text.size() + symbols[right].text.size();
        const auto token = by_piece_.find(std::string(symbols[left].text.data(), joined));
        if (token != by_piece_.end()) {
            pairs.push({scores_[token->second], left, right, joined});
        }
    };
    for (std::size_t i = 1; i < symbols.size(); ++i) {
        consider(i - 1, i);
    }
    while (!pairs.empty()) {
        const Pair pair = pairs.top();
        pairs.pop();
        Symbol& left = symbols[pair.left];
        Symbol& right = symbols[pair.right];
        if (left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != pair.size) {
            continue;
        }
        left.text = {left.text.data(), pair.size};
        left.right = right.right;
        right.text = {};
        if (left.right != none) {
            symbols[left.right].left = pair.left;
        }
        consider(left.left, pair.left);
        consider(pair.left, left.right);
    }
    Tokens tokens;
    for (std::size_t i = 0; i != none; i = symbols[i].right) {
        spell(symbols[i].text, tokens);
    }
    return tokens;
}

void Vocabulary::spell(std::string_view piece, Tokens& tokens) const {
    const auto token = by_piece_.find(std::string(piece));
    if (token != by_piece_.end()) {
        tokens.push_back(token->second);
        return;
    }
    for (const char c : piece) {
        tokens.push_back(by_byte_[static_cast<unsigned char>(c)].value_or(unknown_));
    }
}

}  // namespace workbook::story
