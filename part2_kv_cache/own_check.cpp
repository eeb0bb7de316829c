#include "part2_kv_cache/own_check.hpp"

#include <random>

namespace workbook {

Tensor<3> random_tokens(std::size_t batch, std::size_t n_tokens, std::size_t d_model) {
    std::mt19937 generator(20260101);
    std::normal_distribution<double> normal;
    Tensor<3> x({batch, n_tokens, d_model});
    for (Scalar& element : x) {
        element = static_cast<Scalar>(normal(generator));
    }
    return x;
}

KVCache poisoned_cache(const AttentionConfig& config, std::size_t batch, std::size_t max_len) {
    KVCache cache(batch, config.n_kv_heads, max_len, config.head_dim());
    cache.keys().fill(Scalar{50});
    cache.values().fill(Scalar{50});
    return cache;
}

bool equal_up_to_rounding(const Tensor<3>& actual, const Tensor<3>& expected, const Tensor<3>& whole) {
    const auto fraction = static_cast<Scalar>(sizeof(Scalar) == sizeof(double) ? 1e-9 : 1e-3);
    const Scalar tolerance = fraction * xt::amax(xt::abs(whole))();
    return actual.shape() == expected.shape() && xt::all(xt::abs(actual - expected) <= tolerance);
}

}  // namespace workbook
