#include "tests/support/inputs.hpp"

#include <cmath>

namespace workbook::grading {

AttentionWeights random_weights(const AttentionConfig& config, unsigned seed) {
    const std::size_t d_model = config.d_model;
    const std::size_t kv_width = config.n_kv_heads * config.head_dim();
    const double scale = 1.3 / std::sqrt(static_cast<double>(d_model));
    return {random_tensor<2>({d_model, d_model}, seed, scale), random_tensor<2>({d_model, kv_width}, seed + 1, scale),
            random_tensor<2>({d_model, kv_width}, seed + 2, scale),
            random_tensor<2>({d_model, d_model}, seed + 3, scale)};
}

Attention random_layer(const AttentionConfig& config, unsigned seed) {
    return {config, random_weights(config, seed)};
}

AttentionConfig heads_config(std::size_t n_heads, std::size_t n_kv_heads, std::size_t head_dim) {
    AttentionConfig config;
    config.d_model = n_heads * head_dim;
    config.n_heads = n_heads;
    config.n_kv_heads = n_kv_heads;
    return config;
}

Tensor<3> tokens(const Tensor<3>& x, std::size_t begin, std::size_t end) {
    Tensor<3> part({x.shape(0), end - begin, x.shape(2)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t t = begin; t < end; ++t) {
            for (std::size_t c = 0; c < x.shape(2); ++c) {
                part(b, t - begin, c) = x(b, t, c);
            }
        }
    }
    return part;
}

KVCache poisoned_cache(const AttentionConfig& config, std::size_t batch, std::size_t max_len, Scalar poison) {
    KVCache cache(batch, config.n_kv_heads, max_len, config.head_dim());
    cache.keys().fill(poison);
    cache.values().fill(poison);
    return cache;
}

}  // namespace workbook::grading
