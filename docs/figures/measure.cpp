// measure_costs FILE: measures what the costs page shows, and writes it as JSON. Run it with OPENBLAS_NUM_THREADS=1 on
// a machine that does nothing else; the pictures show ratios of what it writes.
#include <algorithm>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "part2_kv_cache/kv_cache.hpp"
#include "reference/concat_cache.hpp"

namespace {

using namespace workbook;  // NOLINT(google-build-using-namespace): a program of one file

// Processor time, the shortest of several runs: others only add what the machine did besides.
double seconds(int runs, const std::function<void()>& prepare, const std::function<void()>& run) {
    double shortest = 1e9;
    for (int i = 0; i < runs; ++i) {
        prepare();
        const std::clock_t begin = std::clock();
        run();
        const std::clock_t end = std::clock();
        shortest = std::min(shortest, static_cast<double>(end - begin) / CLOCKS_PER_SEC);
    }
    return shortest;
}

// Freed memory is kept for the next allocation. Else, from some size on, every copy would also pay for fresh pages.
void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

template <std::size_t N>
Tensor<N> random_tensor(const typename Tensor<N>::shape_type& shape) {
    static std::mt19937 generator(1);
    std::uniform_real_distribution<Scalar> uniform(-0.1, 0.1);
    Tensor<N> tensor(shape);
    for (Scalar& element : tensor) {
        element = uniform(generator);
    }
    return tensor;
}

Attention layer_of(const AttentionConfig& config) {
    const std::size_t kv_width = config.n_kv_heads * config.head_dim();
    return {config,
            {random_tensor<2>({config.d_model, config.d_model}), random_tensor<2>({config.d_model, kv_width}),
             random_tensor<2>({config.d_model, kv_width}), random_tensor<2>({config.d_model, config.d_model})}};
}

// The time of one token on top of `past`, with the preallocated cache, with the textbook step, and without a cache.
nlohmann::json one_token(const Attention& layer, std::size_t past, int runs) {
    const AttentionConfig& config = layer.config();
    const Tensor<3> prompt = random_tensor<3>({1, past, config.d_model});
    const Tensor<3> token = random_tensor<3>({1, 1, config.d_model});
    KVCache filled(1, config.n_kv_heads, past + 1, config.head_dim());
    const Projected projected = layer.project(prompt, call_positions({0}, past));
    filled.append(projected.k, projected.v, {past});
    KVCache cache = filled;
    Tensor<3> y;
    const double cached = seconds(
        runs, [&] { cache = filled; }, [&] { y = layer.forward(token, cache); });

    const Positions position = call_positions({past}, 1);
    const std::optional<reference::CompactPair> grown = reference::CompactPair{projected.k, projected.v};
    const double textbook = seconds(
        runs, [] {},
        [&] {
            const Projected step = layer.project(token, position);
            const reference::ConcatStep joined = reference::concat_and_expand(grown, step.k, step.v, config.n_heads);
            const KeyValues kv(joined.expanded.k, joined.expanded.v);
            y = linear(merge_heads(attend_heads(step.q, kv, position)), layer.weights().wo);
        });

    const Tensor<3> whole = random_tensor<3>({1, past + 1, config.d_model});
    const double uncached = seconds(
        std::min(runs, 3), [] {}, [&] { y = layer.forward(whole); });
    return {{"past", past}, {"cached", cached}, {"textbook", textbook}, {"uncached", uncached}};
}

// The time of attention for q_len queries on the last of kv_len keys, with n_kv_heads of 32 heads.
double attention_seconds(std::size_t q_len, std::size_t kv_len, std::size_t n_kv_heads, int runs) {
    const Tensor<4> q = random_tensor<4>({1, 32, q_len, 128});
    const Tensor<4> k = random_tensor<4>({1, n_kv_heads, kv_len, 128});
    const Tensor<4> v = random_tensor<4>({1, n_kv_heads, kv_len, 128});
    const KeyValues kv(k, v);
    const Positions positions = call_positions({kv_len - q_len}, q_len);
    Tensor<4> out;
    return seconds(
        runs, [] {}, [&] { out = attend_groups(q, kv, positions); });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: measure_costs FILE\n";
        return 2;
    }
    keep_freed_memory();
    try {
        nlohmann::json result;
        const Attention layer = layer_of({.d_model = 512, .n_heads = 8, .n_kv_heads = 2});
        for (const std::size_t past : {63U, 127U, 255U, 511U, 1023U, 2047U}) {
            result["one_token"].push_back(one_token(layer, past, 40));
        }
        for (const std::size_t q_len : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
            const int runs = q_len < 32 ? 12 : 5;
            nlohmann::json point{{"q_len", q_len}};
            for (const std::size_t n_kv_heads : {32U, 8U, 1U}) {
                point["kv_heads_" + std::to_string(n_kv_heads)] = attention_seconds(q_len, 2048, n_kv_heads, runs);
            }
            result["queries"].push_back(point);
        }
        std::ofstream(argv[1]) << result.dump(2) << "\n";
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
