// Given code of the cache: construction and validation.
#include "part2_kv_cache/kv_cache.hpp"

#include <stdexcept>
#include <string>

namespace workbook {

namespace {

std::size_t at_least_one(const char* argument, std::size_t value) {
    if (value == 0) {
        throw std::invalid_argument(std::string("KVCache: ") + argument + " must be at least 1, got 0");
    }
    return value;
}

void expect_counts(std::string_view function, const Lengths& n_new, std::size_t batch, std::size_t slots) {
    expect_count(function, "n_new", n_new.size(), batch);
    for (std::size_t b = 0; b < batch; ++b) {
        if (n_new[b] > slots) {
            throw std::invalid_argument(std::string(function) + ": n_new[" + std::to_string(b) + "] is " +
                                        std::to_string(n_new[b]) + ", but there are only " + std::to_string(slots) +
                                        " token slots per row");
        }
    }
}

}  // namespace

KVCache::KVCache(std::size_t batch, std::size_t n_kv_heads, std::size_t max_len, std::size_t head_dim)
    : keys_(xt::zeros<Scalar>(
          {batch, at_least_one("n_kv_heads", n_kv_heads), max_len, at_least_one("head_dim", head_dim)})),
      values_(xt::zeros<Scalar>({batch, n_kv_heads, max_len, head_dim})),
      lengths_(batch, 0) {
}

void KVCache::expect_appendable(const Tensor<4>& k, const Tensor<4>& v, const Lengths& n_new) const {
    expect_shape("append", "k", k.shape(), {batch(), n_kv_heads(), any_extent, head_dim()});
    expect_shape("append", "v", v.shape(), {k.shape(0), k.shape(1), k.shape(2), k.shape(3)});
    expect_counts("append", n_new, batch(), k.shape(2));
}

void expect_forward_fits(const AttentionConfig& config, const Tensor<3>& x, const KVCache& cache) {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config.d_model});
    const std::array<std::size_t, 4> has{cache.batch(), cache.n_kv_heads(), cache.max_len(), cache.head_dim()};
    expect_shape("forward", "cache", has, {x.shape(0), config.n_kv_heads, any_extent, config.head_dim()});
}

void expect_forward_fits(const AttentionConfig& config, const Tensor<3>& x, const KVCache& cache,
                         const Lengths& n_new) {
    expect_forward_fits(config, x, cache);
    expect_counts("forward", n_new, x.shape(0), x.shape(1));
}

}  // namespace workbook
