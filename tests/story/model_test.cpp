// The model on top of the worked solution: against plain loops, in every way of reading, and against the published
// text.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "app/base/files.hpp"
#include "app/story/compare.hpp"
#include "app/story/model/published_model.hpp"
#include "app/story/summary.hpp"
#include "app/story/telling/telling.hpp"
#include "tests/story/plain_llama.hpp"
#include "tests/story/tiny_model.hpp"
#include "tests/support/close.hpp"

namespace workbook::story {
namespace {

struct Loaded {
    explicit Loaded(Gguf file) : vocabulary(file), model(file) {}
    Vocabulary vocabulary;
    Llama model;
};

Loaded tiny() {
    static const std::string bytes = tiny_model().file();
    return Loaded(Gguf(std::as_bytes(std::span(bytes)), "tiny.gguf"));
}

// The new tokens of every row.
std::vector<Tokens> told(const Loaded& loaded, const std::vector<Tokens>& prompts, std::size_t n_tokens,
                         Caching caching, const Sampling& sampling = {}) {
    Session session(loaded.model, prompts.size(), loaded.model.config().context_length, caching);
    const Read read = [&](const std::vector<Tokens>& new_tokens) { return session.read(new_tokens); };
    return tell(loaded.model, loaded.vocabulary, prompts, n_tokens, sampling, read, [](std::size_t, TokenId) {});
}

// The likeliest token after every token, read in chunks.
Tokens choices(const Llama& model, const Tokens& text, std::size_t chunk, Caching caching) {
    Session session(model, 1, text.size(), caching);
    Sampler best({});
    Tokens found;
    for (std::size_t begin = 0; begin < text.size(); begin += chunk) {
        const std::size_t end = std::min(begin + chunk, text.size());
        const Tensor<3> logits = model.logits(session.read({Tokens(&text[begin], &text[begin] + (end - begin))}));
        for (std::size_t t = 0; t < end - begin; ++t) {
            found.push_back(best.next({&logits(0, t, 0), logits.shape(2)}));
        }
    }
    return found;
}

const Tokens text{1, 263, 40, 261, 266, 100, 7, 262};

// --- A model of random weights ---------------------------------------------------------------------------------------

TEST(Model, GivesTheLogitsOfPlainLoops) {
    const Loaded loaded = tiny();
    PlainLlama plain(loaded.model, text.size());
    Session session(loaded.model, 1, text.size(), Caching::on);
    for (const TokenId token : text) {
        const std::vector<Scalar> expected = plain.read(token);
        const Tensor<3> actual = loaded.model.logits(session.read({{token}}));
        for (std::size_t v = 0; v < expected.size(); ++v) {
            ASSERT_TRUE(grading::is_close(static_cast<double>(actual(0, 0, v)), static_cast<double>(expected[v])));
        }
    }
}

TEST(Model, GivesTheSameHowTokensAreRead) {
    const Loaded loaded = tiny();
    Session whole(loaded.model, 1, text.size(), Caching::off);
    const Tensor<3> expected = whole.read({text});
    for (const Caching caching : {Caching::on, Caching::off}) {
        Session session(loaded.model, 1, text.size(), caching);
        const Tensor<3> first = session.read({{text.begin(), text.begin() + 3}});
        const Tensor<3> second = session.read({{text.begin() + 3, text.end()}});
        EXPECT_CLOSE(first, Tensor<3>(xt::view(expected, xt::all(), xt::range(0, 3))));
        EXPECT_CLOSE(second, Tensor<3>(xt::view(expected, xt::all(), xt::range(3, 8))));
    }
}

TEST(Model, GivesRowsOfABatchWhatTheyGetAlone) {
    const Loaded loaded = tiny();
    const std::vector<Tokens> prompts{{1}, {1, 263, 40}, {1, 261}, text};
    for (const Caching caching : {Caching::on, Caching::off}) {
        for (const Sampling& sampling : {Sampling{}, Sampling{.temperature = 1.5, .seed = 4}}) {
            const std::vector<Tokens> together = told(loaded, prompts, 20, caching, sampling);
            for (std::size_t b = 0; b < prompts.size(); ++b) {
                EXPECT_EQ(together[b], told(loaded, {prompts[b]}, 20, caching, sampling).front()) << "row " << b;
            }
        }
    }
}

TEST(Model, NeverAllocatesMoreThanTheFormulaSays) {
    const Loaded loaded = tiny();
    Session session(loaded.model, 3, 20, Caching::on);
    EXPECT_EQ(session.cache_bytes(), reserved_bytes(loaded.model.shape(), 3, 20));
    EXPECT_EQ(Session(loaded.model, 3, 20, Caching::off).cache_bytes(), 0U);
}

TEST(Model, SaysWhatAStoryHasCost) {
    const Loaded loaded = tiny();
    const std::string lines =
        summary(loaded.model, {{{1}}, {{5, 6, 7}}, Caching::on, 4, 2 * 2 * 2 * 2 * sizeof(Scalar) * 4, 0.5});
    EXPECT_NE(lines.find("3 tokens in 0.5 s, 6 a second with a cache"), std::string::npos) << lines;
    EXPECT_NE(lines.find("2 · 2 layers · 2 kv heads · 2 wide"), std::string::npos) << lines;
    // Two of the three are read, on top of 1 and of 2 tokens of 16 elements; nobody reads the last.
    EXPECT_NE(lines.find(std::to_string(3 * 16 * sizeof(Scalar)) + " bytes"), std::string::npos) << lines;
}

std::string room_refusal(const Loaded& loaded, const Tokens& prompt, std::size_t n_tokens) {
    try {
        expect_room(loaded.model, {prompt}, n_tokens);
    } catch (const WrongRequest& error) {
        return error.what();
    }
    return "";
}

TEST(Model, RefusesWhatDoesNotFitIntoTheContext) {
    const Loaded loaded = tiny();
    EXPECT_EQ(room_refusal(loaded, Tokens(31, 5), 1), "");
    EXPECT_NE(room_refusal(loaded, Tokens(32, 5), 1).find("The prompt has 32 tokens"), std::string::npos);
    EXPECT_NE(room_refusal(loaded, Tokens(10, 5), 23).find("--tokens: at most 22 was expected, got 23"),
              std::string::npos);
}

TEST(Model, RefusesACacheThatDoesNotFitIntoMemory) {
    GgufWriter writer = tiny_model();
    writer.values["llama.context_length"] = 4'000'000'000U;
    const std::string bytes = writer.file();
    const Loaded loaded(Gguf(std::as_bytes(std::span(bytes)), "tiny.gguf"));
    EXPECT_NE(room_refusal(loaded, {1}, 3'999'999'999).find("this machine has"), std::string::npos);
}

TEST(Comparison, FindsNoDifferenceInTheSame) {
    const Loaded loaded = tiny();
    for (const Caching caching : {Caching::on, Caching::off}) {
        std::stringstream steps;
        Session session(loaded.model, 1, 8, caching);
        std::vector<LayerCall> calls;
        session.observe([&](std::size_t, const Tensor<3>& x, const Lengths&, const Tensor<3>& y) {
            calls.push_back({x, y});
        });
        for (const Tokens& part : {Tokens{1, 263, 40}, Tokens{5}, Tokens{6}}) {
            calls.clear();
            const Tensor<3> hidden = session.read({part});
            write_step(steps, {part, calls, hidden});
        }
        Tokens tokens;
        EXPECT_FALSE(first_difference(loaded.model, caching, 8, steps, tokens));
        EXPECT_EQ(tokens, (Tokens{1, 263, 40, 5, 6}));
    }
}

// --- The published model ---------------------------------------------------------------------------------------------

class PublishedModel : public testing::Test {
protected:
    void SetUp() override {
        const char* data = std::getenv("WORKBOOK_DATA");
        folder_ = data == nullptr ? "" : data;
        if (!std::filesystem::exists(folder_ / "stories260K.gguf")) {
            GTEST_SKIP() << "WORKBOOK_DATA names no folder with stories260K.gguf";
        }
        if (app::sha256_of(folder_ / "stories260K.gguf") != app::published_model_sha256) {
            GTEST_SKIP() << folder_ / "stories260K.gguf"
                         << " is not the published file: its sha256 is another";
        }
        const MappedFile file(folder_ / "stories260K.gguf");
        loaded_.emplace(Gguf(file.bytes(), "stories260K.gguf"));
        std::ifstream ids(folder_ / "stories260K.expected.ids");
        for (TokenId id = 0; ids >> id;) {
            expected_.push_back(id);
        }
        ASSERT_EQ(expected_.size(), 256U);
    }

    // The published text from its beginning, without the last token.
    [[nodiscard]] Tokens read_text() const {
        Tokens tokens{1};
        tokens.insert(tokens.end(), expected_.begin(), expected_.end() - 1);
        return tokens;
    }

    std::filesystem::path folder_;
    std::optional<Loaded> loaded_;
    Tokens expected_;
};

TEST_F(PublishedModel, TellsThePublishedStory) {
    const Tokens story = told(*loaded_, {{1}}, 256, Caching::on).front();
    EXPECT_EQ(story, expected_);
    std::string bytes;
    for (const TokenId token : story) {
        bytes += loaded_->vocabulary.bytes(token);
    }
    EXPECT_EQ(bytes, workbook::app::read_file(folder_ / "stories260K.expected.txt"));
}

TEST_F(PublishedModel, TellsItWithoutACacheToo) {
#ifdef WORKBOOK_SANITIZED
    const std::size_t n_tokens = 40;  // all of them would take minutes
#else
    const std::size_t n_tokens = 256;
#endif
    EXPECT_EQ(told(*loaded_, {{1}}, n_tokens, Caching::off).front(),
              Tokens(expected_.begin(), expected_.begin() + static_cast<std::ptrdiff_t>(n_tokens)));
}

TEST_F(PublishedModel, ChoosesTheSameInChunksOfSeven) {
    EXPECT_EQ(choices(loaded_->model, read_text(), 7, Caching::on), expected_);
}

TEST_F(PublishedModel, ChoosesTheSameInOneCallWithoutACache) {
    EXPECT_EQ(choices(loaded_->model, read_text(), 256, Caching::off), expected_);
}

TEST_F(PublishedModel, ChoosesWhatPlainLoopsChoose) {
    PlainLlama plain(loaded_->model, 256);
    Sampler best({});
    Tokens found;
    for (const TokenId token : read_text()) {
        found.push_back(best.next(plain.read(token)));
    }
    EXPECT_EQ(found, expected_);
}

TEST_F(PublishedModel, TellsEightStoriesAtOnceAsOneByOne) {
    std::vector<Tokens> prompts;
    std::size_t begin = 0;
    for (const std::size_t length : {1U, 2U, 5U, 9U, 14U, 20U, 33U, 40U}) {
        Tokens prompt{1};
        prompt.insert(prompt.end(), expected_.begin() + static_cast<std::ptrdiff_t>(begin),
                      expected_.begin() + static_cast<std::ptrdiff_t>(begin + length - 1));
        prompts.push_back(prompt);
        begin += length;
    }
    for (const Sampling& sampling : {Sampling{}, Sampling{.temperature = 0.9, .top_p = 0.9, .seed = 11}}) {
        const std::vector<Tokens> together = told(*loaded_, prompts, 60, Caching::on, sampling);
        for (std::size_t b = 0; b < prompts.size(); ++b) {
            EXPECT_EQ(together[b], told(*loaded_, {prompts[b]}, 60, Caching::on, sampling).front())
                << "prompt of " << prompts[b].size() << " tokens";
        }
    }
}

TEST_F(PublishedModel, ReadsAPromptAsItWasWritten) {
    EXPECT_EQ(loaded_->vocabulary.prompt("Once upon a time, there was a little girl named Lily."),
              (Tokens{1, 403, 407, 261, 378, 432, 383, 286, 261, 376, 298, 315, 421, 395, 317, 426}));
}

}  // namespace
}  // namespace workbook::story
