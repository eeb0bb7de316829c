#include "app/story/telling/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace workbook::story {

namespace {

// 0 to 1, without 1. The standard library's distributions differ from one library to another.
double uniform(std::mt19937_64& generator) {
    return static_cast<double>(generator() >> 11U) * 0x1p-53;
}

// Unnormalised probabilities: the largest is 1.
std::vector<double> weights_of(std::span<const Scalar> logits, double temperature) {
    const auto largest = static_cast<double>(*std::ranges::max_element(logits));
    std::vector<double> weights(logits.size());
    std::ranges::transform(logits, weights.begin(), [&](Scalar logit) {
        return std::exp((static_cast<double>(logit) - largest) / temperature);
    });
    return weights;
}

}  // namespace

TokenId Sampler::next(std::span<const Scalar> logits) {
    if (sampling_.temperature == 0) {
        return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
    }
    const std::vector<double> weights = weights_of(logits, sampling_.temperature);
    std::vector<TokenId> likeliest(logits.size());
    std::iota(likeliest.begin(), likeliest.end(), TokenId{0});
    std::ranges::stable_sort(likeliest, [&](TokenId a, TokenId b) { return weights[a] > weights[b]; });

    const double enough = sampling_.top_p * std::accumulate(weights.begin(), weights.end(), 0.0);
    double kept = 0;
    std::size_t count = 0;
    while (count < likeliest.size() && (count == 0 || kept < enough)) {
        kept += weights[likeliest[count++]];
    }
    double left = uniform(generator_) * kept;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        left -= weights[likeliest[i]];
        if (left < 0) {
            return likeliest[i];
        }
    }
    return likeliest[count - 1];
}

}  // namespace workbook::story
