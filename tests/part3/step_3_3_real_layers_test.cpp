// Step 3.3: two attention layers of a real model, with outputs that were computed independently.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "tests/support/close.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/npy.hpp"
#include "tests/support/sequences.hpp"

namespace workbook::grading {
namespace {

// The folder with layer0_wq.npy and so on, or nothing when the setting is missing.
std::optional<std::filesystem::path> layers_folder() {
    const char* data = std::getenv("WORKBOOK_DATA");
    if (data == nullptr || *data == '\0') {
        return std::nullopt;
    }
    return std::filesystem::path(data) / "layers";
}

struct RealLayer {
    Attention layer;
    Tensor<3> x;
    reference::Array<3> y;
};

RealLayer load_layer(const std::filesystem::path& folder, const std::string& name) {
    const auto file = [&](const char* part) { return (folder / (name + "_" + part + ".npy")).string(); };
    AttentionConfig config = heads_config(8, 4, 8);
    config.rope_base = 10000;
    const AttentionWeights weights{load_npy<2>(file("wq")), load_npy<2>(file("wk")), load_npy<2>(file("wv")),
                                   load_npy<2>(file("wo"))};
    return {Attention(config, weights), load_npy<3>(file("x")), reference::to_double(load_npy<3>(file("y")))};
}

// The larger of two differences, where NaN is the largest of all.
double worse(double a, double b) {
    return b > a || std::isnan(b) ? b : a;
}

double largest_difference(const Tensor<3>& actual, const reference::Array<3>& expected, std::size_t begin) {
    double largest = 0;
    for (std::size_t t = 0; t < actual.shape(1); ++t) {
        for (std::size_t c = 0; c < actual.shape(2); ++c) {
            largest = worse(largest, std::abs(static_cast<double>(actual(0, t, c)) - expected(0, begin + t, c)));
        }
    }
    return largest;
}

// Largest difference when the tokens go through a cache in these chunks.
double cached_difference(const RealLayer& real, const std::vector<std::size_t>& chunks) {
    KVCache cache(1, 4, real.x.shape(1), 8);
    double largest = 0;
    std::size_t begin = 0;
    for (const std::size_t n : chunks) {
        const Tensor<3> y = real.layer.forward(tokens(real.x, begin, begin + n), cache, {n});
        largest = worse(largest, largest_difference(y, real.y, begin));
        begin += n;
    }
    return largest;
}

void expect_reproduced(const std::string& name, const std::filesystem::path& folder, double& largest) {
    SCOPED_TRACE(name);
    const RealLayer real = load_layer(folder, name);
    const double bound = sizeof(Scalar) == sizeof(double) ? 1e-12 : 1e-4;
    const double uncached = largest_difference(real.layer.forward(real.x), real.y, 0);
    const double chunked = cached_difference(real, {100, 1, 1, 155});
    const double decoded = cached_difference(real, std::vector<std::size_t>(real.x.shape(1), 1));
    EXPECT_LT(uncached, bound) << "all tokens, uncached";
    EXPECT_LT(chunked, bound) << "through the cache in chunks of 100, 1, 1 and 155";
    EXPECT_LT(decoded, bound) << "through the cache token by token";
    largest = worse(worse(largest, uncached), worse(chunked, decoded));
}

GRADED_TEST(RealLayers, AreReproduced, "3.3", strong_hire, 0) {
    const auto folder = layers_folder();
    if (!folder) {
        remark("skipped: WORKBOOK_DATA names no folder with the layers of a real model");
        GTEST_SKIP() << "WORKBOOK_DATA names no folder with the layers of a real model";
    }
    double largest = 0;
    expect_reproduced("layer0", *folder, largest);
    expect_reproduced("layer4", *folder, largest);
    std::ostringstream text;
    text << "two layers of a real model, largest difference " << largest;
    remark(text.str());
}

}  // namespace
}  // namespace workbook::grading
