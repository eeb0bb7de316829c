// From text to tokens and back, and the choice of tokens.
#include <gtest/gtest.h>

#include <cmath>

#include "app/story/model/vocabulary.hpp"
#include "app/story/telling/sampler.hpp"
#include "app/story/telling/text_stream.hpp"
#include "tests/story/tiny_model.hpp"

namespace workbook::story {
namespace {

Vocabulary tiny_vocabulary() {
    const std::string bytes = tiny_model().file();
    return Vocabulary(Gguf(std::as_bytes(std::span(bytes)), "tiny.gguf"));
}

std::vector<std::string> pieces(const Vocabulary& vocabulary, const std::string& text) {
    std::vector<std::string> found;
    for (const TokenId token : vocabulary.encode(text)) {
        found.push_back(vocabulary.piece(token));
    }
    return found;
}

using Pieces = std::vector<std::string>;

TEST(Vocabulary, JoinsPiecesByScore) {
    const Vocabulary vocabulary = tiny_vocabulary();
    // "ab" has a better score than "▁a", and "▁ab" is joined from both.
    EXPECT_EQ(pieces(vocabulary, "ab"), Pieces{"\u2581ab"});
    EXPECT_EQ(pieces(vocabulary, "a"), Pieces{"\u2581a"});
    EXPECT_EQ(pieces(vocabulary, "bab"), (Pieces{"\u2581", "b", "ab"}));
    EXPECT_EQ(pieces(vocabulary, "bba"), (Pieces{"\u2581", "b", "ba"}));
}

TEST(Vocabulary, SpellsWhatItLacksInBytes) {
    const Vocabulary vocabulary = tiny_vocabulary();
    EXPECT_EQ(pieces(vocabulary, "\u00e9"), (Pieces{"\u2581", "\u00e9"}));
    EXPECT_EQ(pieces(vocabulary, "\u00ea"), (Pieces{"\u2581", "<0xC3>", "<0xAA>"}));
    EXPECT_EQ(pieces(vocabulary, "\n"), (Pieces{"\u2581", "<0x0A>"}));
    EXPECT_EQ(pieces(vocabulary, "\xff\xe2"), (Pieces{"\u2581", "<0xFF>", "<0xE2>"}));
}

TEST(Vocabulary, BeginsAPromptWithTheBeginningOfTheSequence) {
    const Vocabulary vocabulary = tiny_vocabulary();
    EXPECT_EQ(vocabulary.prompt(""), Tokens{1});
    EXPECT_EQ(vocabulary.prompt("a").size(), 2U);
    EXPECT_TRUE(vocabulary.ends_text(1));
    EXPECT_TRUE(vocabulary.ends_text(2));
    EXPECT_FALSE(vocabulary.ends_text(3));
}

TEST(Vocabulary, GivesBackTheTextWithASpaceInFront) {
    const Vocabulary vocabulary = tiny_vocabulary();
    std::string bytes;
    for (const TokenId token : vocabulary.encode("a b\u00e9\U0001F409 \n")) {
        bytes += vocabulary.bytes(token);
    }
    EXPECT_EQ(bytes, " a b\u00e9\U0001F409 \n");
    EXPECT_EQ(vocabulary.bytes(1), "");
}

// --- Characters -----------------------------------------------------------------------------------------------------

TEST(TextStream, HoldsBackACharacterUntilItIsComplete) {
    TextStream stream;
    EXPECT_EQ(stream.add("a\xf0\x9f"), "a");
    EXPECT_EQ(stream.add("\x90"), "");
    EXPECT_EQ(stream.add("\x89z"), "\U0001F409z");
    EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, ReplacesWhatIsNoCharacter) {
    TextStream stream;
    EXPECT_EQ(stream.add("\xe2\x96"), "");
    EXPECT_EQ(stream.add("a"), "\ufffda");
    EXPECT_EQ(stream.add("\x80"), "\ufffd");
    EXPECT_EQ(stream.add("\xc3"), "");
    EXPECT_EQ(stream.finish(), "\ufffd");
}

TEST(TextStream, KeepsControlCharactersFromTheTerminal) {
    TextStream stream;
    EXPECT_EQ(stream.add("a\x1b[2J\n"), "a?[2J\n");
}

// --- Choice ---------------------------------------------------------------------------------------------------------

const std::vector<Scalar> logits{0, 2, 1, -3};

// How often each token comes.
std::vector<int> counts(const Sampling& sampling, int draws) {
    Sampler sampler(sampling);
    std::vector<int> found(logits.size());
    for (int i = 0; i < draws; ++i) {
        ++found[sampler.next(logits)];
    }
    return found;
}

TEST(Sampler, TakesTheBestTokenWithoutATemperature) {
    EXPECT_EQ(counts({}, 10), (std::vector<int>{0, 10, 0, 0}));
}

TEST(Sampler, TakesTokensAsOftenAsTheyAreLikely) {
    constexpr int draws = 20'000;
    const std::vector<int> found = counts({.temperature = 2}, draws);
    double total = 0;
    for (const Scalar logit : logits) {
        total += std::exp(static_cast<double>(logit) / 2);
    }
    for (std::size_t token = 0; token < logits.size(); ++token) {
        const double likely = std::exp(static_cast<double>(logits[token]) / 2) / total;
        EXPECT_NEAR(static_cast<double>(found[token]) / draws, likely, 0.02) << token;
    }
}

TEST(Sampler, LeavesOutUnlikelyTokens) {
    // The best token has 0.66 of the probability at temperature 1, the best two 0.90, the best three 0.995.
    EXPECT_EQ(counts({.temperature = 1, .top_p = 0.6}, 100), (std::vector<int>{0, 100, 0, 0}));
    const std::vector<int> two = counts({.temperature = 1, .top_p = 0.8}, 1000);
    EXPECT_EQ(two[0] + two[3], 0);
    EXPECT_GT(two[2], 200);
    EXPECT_EQ(counts({.temperature = 1, .top_p = 0}, 100), (std::vector<int>{0, 100, 0, 0}));
}

TEST(Sampler, GivesTheSameForTheSameSeed) {
    const auto sequence = [](std::uint64_t seed) {
        Sampler sampler({.temperature = 3, .seed = seed});
        Tokens tokens;
        for (int i = 0; i < 50; ++i) {
            tokens.push_back(sampler.next(logits));
        }
        return tokens;
    };
    EXPECT_EQ(sequence(1), sequence(1));
    EXPECT_NE(sequence(1), sequence(2));
}

}  // namespace
}  // namespace workbook::story
