// The reader of model files, on small files, right ones and damaged ones.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "app/story/model/llama.hpp"
#include "tests/story/tiny_model.hpp"

namespace workbook::story {
namespace {

Llama load(const std::string& bytes) {
    Gguf file(std::as_bytes(std::span(bytes)), "tiny.gguf");
    static_cast<void>(Vocabulary(file));
    return Llama(file);
}

// What the file is refused with.
std::string refusal(const std::string& bytes) {
    try {
        static_cast<void>(load(bytes));
    } catch (const BadModel& error) {
        return error.what();
    }
    return "";
}

// What a changed file is refused with.
std::string refusal_after(const std::function<void(GgufWriter&)>& change) {
    GgufWriter model = tiny_model();
    change(model);
    return refusal(model.file());
}

std::string refusal_of_value(const std::string& key, const GgufWriter::Value& value) {
    return refusal_after([&](GgufWriter& model) { model.values[key] = value; });
}

std::string refusal_without(const std::string& key) {
    return refusal_after([&](GgufWriter& model) {
        model.values.erase(key);
        model.tensors.erase(key);
    });
}

TEST(Loader, ReadsExtentsAndConstants) {
    const Llama model = load(tiny_model().file());
    EXPECT_EQ(model.config().n_layers, 2U);
    EXPECT_EQ(model.config().attention.d_model, 8U);
    EXPECT_EQ(model.config().attention.n_heads, 4U);
    EXPECT_EQ(model.config().attention.n_kv_heads, 2U);
    EXPECT_EQ(model.config().feed_forward_width, 12U);
    EXPECT_EQ(model.config().context_length, 32U);
    EXPECT_EQ(model.config().n_vocab, 267U);
    EXPECT_EQ(model.config().attention.rope_base, 10000.0);
    EXPECT_NEAR(model.config().rms_epsilon, 1e-5, 1e-12);
}

TEST(Loader, TurnsWeightsRound) {
    GgufWriter writer = tiny_model();
    const std::string& stored = writer.tensors["blk.0.attn_k.weight"].bytes;  // 4 outputs of 8 inputs each
    float third_output_first_input = 0;
    std::memcpy(&third_output_first_input, stored.data() + sizeof(float) * 2 * 8, sizeof(float));
    const Llama model = load(writer.file());
    EXPECT_EQ(model.block(0).attention.weights().wk(0, 2), static_cast<Scalar>(third_output_first_input));
}

TEST(Loader, ReadsTheSameNumbersFromFloat16) {
    GgufWriter half = tiny_model(1);
    // All halves: sign, exponents from the subnormal ones on, and fractions.
    const std::vector<std::pair<std::uint16_t, double>> numbers{
        {0x0000, 0},     {0x8000, 0},       {0x3C00, 1},           {0xC000, -2},     {0x3555, 0.333251953125},
        {0x7BFF, 65504}, {0x0001, 0x1p-24}, {0x03FF, 0x1.ff8p-15}, {0x0400, 0x1p-14}};
    std::string& bytes = half.tensors["token_embd.weight"].bytes;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::memcpy(bytes.data() + 2 * i, &numbers[i].first, 2);
    }
    const Llama model = load(half.file());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_EQ(model.embedding()(i / 8, i % 8), static_cast<Scalar>(numbers[i].second)) << numbers[i].first;
    }
}

TEST(Loader, UsesTheEmbeddingWhereThereIsNoOutput) {
    GgufWriter tied = tiny_model();
    tied.tensors.erase("output.weight");
    const Llama model = load(tied.file());
    EXPECT_EQ(model.output()(3, 5), model.embedding()(5, 3));
}

TEST(Loader, RefusesAFileThatIsCutOffAnywhere) {
    const std::string whole = tiny_model().file();
    for (std::size_t size = 0; size + 32 < whole.size(); size += size < 400 ? 1 : 97) {
        EXPECT_NE(refusal(whole.substr(0, size)), "") << "cut off after " << size << " bytes";
    }
}

TEST(Loader, NamesTheFieldInWhichTheFileEnds) {
    const std::string whole = tiny_model().file();
    EXPECT_EQ(refusal(whole.substr(0, 2)), "tiny.gguf: magic: 4 bytes were expected here, but the file ends after 2");
    EXPECT_EQ(refusal(whole.substr(0, 6)), "tiny.gguf: version: 4 bytes were expected here, but the file ends after 2");
}

TEST(Loader, RefusesAWrongMagicAndAnUnknownVersion) {
    EXPECT_EQ(refusal_after([](GgufWriter& model) { model.magic = "GGML"; }),
              "tiny.gguf: magic: is not \"GGUF\": this is not a GGUF file");
    EXPECT_EQ(refusal_after([](GgufWriter& model) { model.version = 1; }),
              "tiny.gguf: version: 2 or 3 was expected, got 1");
}

TEST(Loader, RefusesAnotherArchitecture) {
    EXPECT_EQ(refusal_of_value("general.architecture", std::string("gpt2")),
              "tiny.gguf: general.architecture: \"llama\" was expected, got \"gpt2\"");
    EXPECT_EQ(refusal_of_value("llama.expert_count", 8U), "tiny.gguf: llama.expert_count: 0 was expected, got 8");
    EXPECT_EQ(refusal_of_value("llama.rope.scaling.type", std::string("yarn")),
              "tiny.gguf: llama.rope.scaling.type: scaled rotary positions are not known here");
}

TEST(Loader, RefusesMissingAndMistypedValues) {
    EXPECT_EQ(refusal_without("llama.block_count"), "tiny.gguf: llama.block_count: is missing");
    EXPECT_EQ(refusal_of_value("llama.block_count", std::string("two")),
              "tiny.gguf: llama.block_count: a whole number was expected, got something else");
    EXPECT_EQ(refusal_of_value("llama.context_length", 0U),
              "tiny.gguf: llama.context_length: at least 1 was expected, got 0");
    EXPECT_EQ(refusal_of_value("llama.attention.layer_norm_rms_epsilon", -1.0F),
              "tiny.gguf: llama.attention.layer_norm_rms_epsilon: a number above 0 was expected");
}

TEST(Loader, RefusesHeadCountsThatDoNotDivide) {
    EXPECT_EQ(refusal_of_value("llama.attention.head_count", 3U),
              "tiny.gguf: llama.attention.head_count: 3 does not divide llama.embedding_length, 8");
    EXPECT_EQ(refusal_of_value("llama.attention.head_count_kv", 3U),
              "tiny.gguf: llama.attention.head_count_kv: 3 does not divide llama.attention.head_count, 4");
    EXPECT_EQ(refusal_of_value("llama.rope.dimension_count", 1U),
              "tiny.gguf: llama.rope.dimension_count: 2 was expected, got 1");
    EXPECT_EQ(
        refusal_of_value("llama.attention.head_count", 8U),
        "tiny.gguf: llama.attention.head_count: leaves heads of width 1, but rotary positions need an even width");
}

TEST(Loader, RefusesMissingAndUnknownTensors) {
    EXPECT_EQ(refusal_without("blk.1.ffn_up.weight"), "tiny.gguf: blk.1.ffn_up.weight: this tensor is missing");
    EXPECT_EQ(refusal_of_value("llama.block_count", 4'000'000'000U),
              "tiny.gguf: blk.2.attn_q.weight: this tensor is missing");
    EXPECT_EQ(refusal_of_value("llama.block_count", 1U),
              "tiny.gguf: blk.1.attn_k.weight: this tensor is not part of a Llama model as it is known here");
}

TEST(Loader, RefusesShapesThatDoNotFit) {
    EXPECT_EQ(refusal_after([](GgufWriter& model) {
                  model.tensors["blk.0.attn_k.weight"].extents = {4, 8};
              }),
              "tiny.gguf: blk.0.attn_k.weight: shape [8, 4] was expected, got [4, 8]");
    EXPECT_EQ(refusal_after([](GgufWriter& model) { model.tensors["output_norm.weight"].extents = {4}; }),
              "tiny.gguf: output_norm.weight: shape [8] was expected, got [4]");
}

TEST(Loader, RefusesAbsurdShapesBeforeItAsksForMemory) {
    const std::uint64_t huge = std::uint64_t{1} << 62U;
    for (const std::vector<std::uint64_t>& extents :
         {std::vector<std::uint64_t>{huge}, {huge, 4}, {huge, huge}, {~std::uint64_t{0}, 2}, {0, 8}}) {
        const std::string message =
            refusal_after([&](GgufWriter& model) { model.tensors["output_norm.weight"].extents = extents; });
        EXPECT_TRUE(message.starts_with("tiny.gguf: output_norm.weight: its shape is [")) << message;
    }
    EXPECT_EQ(refusal_after([](GgufWriter& model) { model.tensors["output_norm.weight"].extents = {}; }),
              "tiny.gguf: output_norm.weight: 1 to 4 axes were expected, got 0");
}

TEST(Loader, RefusesAbsurdOffsets) {
    const auto moved = [](std::uint64_t by) {
        return refusal_after([by](GgufWriter& model) { model.tensors["output_norm.weight"].moved = by; });
    };
    EXPECT_NE(moved(std::uint64_t{1} << 60U).find("output_norm.weight: its offset is"), std::string::npos);
    EXPECT_NE(moved(8).find("output_norm.weight: its offset has to be a multiple of 32"), std::string::npos);
    EXPECT_NE(moved(std::uint64_t{0} - 32).find("inside the tensor before it"), std::string::npos);
}

TEST(Loader, RefusesTwoTensorsInOnePlace) {
    GgufWriter model = tiny_model();
    const std::string& last = "token_embd.weight";
    model.tensors["zzz"] = {{8}, 0, std::string(32, '\0'), 0};
    const auto padded = (model.tensors[last].bytes.size() + 31) / 32 * 32;
    model.tensors["zzz"].moved = std::uint64_t{0} - padded;
    EXPECT_EQ(refusal(model.file()), "tiny.gguf: zzz: it lies where token_embd.weight lies");
}

TEST(Loader, RefusesQuantisedTensors) {
    EXPECT_EQ(refusal_after([](GgufWriter& model) { model.tensors["blk.0.attn_q.weight"].type = 2; }),
              "tiny.gguf: blk.0.attn_q.weight: F32 or F16 was expected, but it is Q4_0; get the model in float32 or "
              "float16, not quantised");
    EXPECT_NE(refusal_after([](GgufWriter& model) {
                  model.tensors["blk.0.attn_q.weight"].type = 77;
              }).find("it is of type 77"),
              std::string::npos);
}

TEST(Loader, RefusesNumbersThatAreNotFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(refusal_after([&](GgufWriter& model) {
                  std::memcpy(model.tensors["output.weight"].bytes.data() + 12, &infinity, 4);
              }),
              "tiny.gguf: output.weight: element 3 is not a finite number");
}

TEST(Loader, RefusesABadVocabulary) {
    EXPECT_EQ(refusal_of_value("tokenizer.ggml.model", std::string("gpt2")),
              "tiny.gguf: tokenizer.ggml.model: \"llama\" (sentence-piece) was expected, got \"gpt2\"");
    EXPECT_EQ(refusal_of_value("tokenizer.ggml.bos_token_id", 267U),
              "tiny.gguf: tokenizer.ggml.bos_token_id: a token below 267 was expected, got 267");
    EXPECT_NE(refusal_of_value("tokenizer.ggml.scores", std::vector<float>{1, 2}), "");
    EXPECT_NE(refusal_of_value("tokenizer.ggml.token_type", std::vector<std::int32_t>{1}), "");
    EXPECT_NE(refusal_of_value("tokenizer.ggml.tokens", std::vector<std::string>{}), "");
}

TEST(Loader, RefusesListsThatAreLongerThanTheFile) {
    std::string file = tiny_model().file();
    const std::string key = "tokenizer.ggml.scores";
    const std::uint64_t huge = ~std::uint64_t{0};
    // Behind the key: its type, the type of its elements, their number.
    std::memcpy(file.data() + file.find(key) + key.size() + 8, &huge, sizeof huge);
    EXPECT_NE(refusal(file).find("tiny.gguf: tokenizer.ggml.scores: has 18446744073709551615 elements"),
              std::string::npos);
}

TEST(MappedFile, RefusesWhatIsNoFile) {
    EXPECT_THROW(MappedFile("/no/such/model.gguf"), BadModel);
    EXPECT_THROW(MappedFile("/"), BadModel);
}

TEST(MappedFile, HoldsTheBytesOfAFile) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "workbook_mapped_file_test";
    std::ofstream(path) << "abc";
    {
        const MappedFile file(path);
        ASSERT_EQ(file.bytes().size(), 3U);
        EXPECT_EQ(file.bytes()[2], std::byte{'c'});
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace workbook::story
