// How costs grow: with what the cache holds, with what it could hold, and with concatenation.
#include <fmt/format.h>

#include "app/bench/cases.hpp"
#include "app/bench/measure.hpp"
#include "app/run/allocations.hpp"
#include "follow_ups/streaming/fast/attend_fast.hpp"
#include "reference/concat_cache.hpp"
#include "reference/cost_model.hpp"

namespace workbook::bench {

namespace {

constexpr std::size_t n_heads = 32;
constexpr std::size_t n_kv_heads = 8;
constexpr std::size_t longest = 32768;

// Appends a chunk again and again, until there are `length` tokens.
void fill(KVCache& cache, const Tensor<4>& chunk, std::size_t length) {
    for (std::size_t held = 0; held < length; held += chunk.shape(2)) {
        cache.append(chunk, chunk, {std::min(chunk.shape(2), length - held)});
    }
}

KVCache filled_cache(std::size_t length, std::size_t max_len) {
    KVCache cache(1, n_kv_heads, max_len, Case::head_dim);
    fill(cache, random_heads(n_kv_heads, std::min<std::size_t>(length, 64), 1), length);
    return cache;
}

// Measures each repetition. What a row is measured at, such as a length, is the counter "at".
template <class Code>
void repeat(benchmark::State& state, const Code& code) {
    std::vector<double> times;
    for ([[maybe_unused]] const auto repetition : state) {
        times.push_back(seconds_of(code));
        state.SetIterationTime(times.back());
    }
    report_times(state, times);
}

void append_one(benchmark::State& state, std::size_t length) {
    KVCache cache = filled_cache(length, longest + 256);
    const Tensor<4> token = random_heads(n_kv_heads, 1, 2);
    repeat(state, [&] { cache.append(token, token, {1}); });
    state.counters["at"] = static_cast<double>(length);
}

void decode_one(benchmark::State& state, std::size_t length, std::size_t max_len, std::size_t at) {
    const KVCache cache = filled_cache(length, max_len);
    const Tensor<4> q = random_heads(n_heads, 1, 3);
    const Positions positions{{static_cast<Position>(length) - 1}};
    repeat(state, [&] { benchmark::DoNotOptimize(streaming::attend_fast(q, cache.live(), positions)); });
    state.counters["at"] = static_cast<double>(at);
}

// Peak of a full cache and a call on all of it, beside the formula for the cache.
void memory(benchmark::State& state, std::size_t max_len) {
    const Tensor<4> q = random_heads(n_heads, 1, 3);
    const Tensor<4> chunk = random_heads(n_kv_heads, 64, 2);
    const Positions positions{{static_cast<Position>(max_len) - 1}};
    grading::Allocations used;
    repeat(state, [&] {
        used = grading::count_allocations([&] {
            KVCache cache(1, n_kv_heads, max_len, Case::head_dim);
            fill(cache, chunk, max_len);
            benchmark::DoNotOptimize(streaming::attend_fast(q, cache.live(), positions));
        });
    });
    const reference::ModelShape shape{1, n_heads * Case::head_dim, n_heads, n_kv_heads, Case::head_dim, sizeof(Scalar)};
    state.counters["counted"] = static_cast<double>(used.peak_bytes);
    state.counters["formula"] = static_cast<double>(reference::reserved_bytes(shape, 1, max_len));
}

// Bytes of old tokens that a growing cache copies, counted, beside the formula.
void concatenation(benchmark::State& state, std::size_t steps) {
    const Tensor<4> token = random_heads(n_kv_heads, 1, 2);
    std::uint64_t copied = 0;
    repeat(state, [&] {
        std::optional<reference::CompactPair> cache;
        copied = 0;
        for (std::size_t step = 0; step < steps; ++step) {
            reference::ConcatStep grown = reference::concat_and_expand(cache, token, token, n_kv_heads);
            copied += grown.bytes_copied;
            cache = std::move(grown.compact);
        }
    });
    const reference::ModelShape shape{1, n_heads * Case::head_dim, n_heads, n_kv_heads, Case::head_dim, sizeof(Scalar)};
    state.counters["counted"] = static_cast<double>(copied);
    state.counters["formula"] = static_cast<double>(reference::bytes_copied_by_concatenation(shape, steps));
}

Matrix random_weight(std::size_t rows, std::size_t columns, unsigned seed) {
    Tensor<4> numbers = random_heads(1, rows, seed, columns);
    numbers /= std::sqrt(static_cast<Scalar>(rows));
    return xt::view(numbers, 0, 0);
}

// The layer on top of a cache, with the fast streaming attention in the place of its own.
Tensor<3> forward_fast(const Attention& attention, const Tensor<3>& x, KVCache& cache) {
    const Positions positions = call_positions(cache.lengths(), x.shape(1));
    const Projected projected = attention.project(x, positions);
    cache.append(projected.k, projected.v, Lengths(x.shape(0), x.shape(1)));
    return linear(merge_heads(streaming::attend_fast(projected.q, cache.live(), positions)), attention.weights().wo);
}

// A whole layer of width 4096, projections included.
void layer(benchmark::State& state, std::size_t past, std::size_t q_len, bool fast) {
    AttentionConfig config;
    config.d_model = n_heads * Case::head_dim;
    config.n_heads = n_heads;
    config.n_kv_heads = n_kv_heads;
    const std::size_t kv_width = n_kv_heads * Case::head_dim;
    const Attention attention(
        config, {random_weight(config.d_model, config.d_model, 1), random_weight(config.d_model, kv_width, 2),
                 random_weight(config.d_model, kv_width, 3), random_weight(config.d_model, config.d_model, 4)});
    const KVCache filled = filled_cache(past, past + q_len);
    const Tensor<3> x = xt::view(random_heads(1, q_len, 5, config.d_model), 0);
    std::vector<double> times;
    for ([[maybe_unused]] const auto repetition : state) {
        KVCache cache = filled;
        times.push_back(seconds_of(
            [&] { benchmark::DoNotOptimize(fast ? forward_fast(attention, x, cache) : attention.forward(x, cache)); }));
        state.SetIterationTime(times.back());
    }
    report_times(state, times);
}

template <class... Arguments>
void add(const std::string& name, int repetitions, Arguments... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseManualTime()->Iterations(repetitions);
}

}  // namespace

void register_bytes() {
    for (const std::size_t max_len : {2048U, 8192U, 32768U}) {
        add(fmt::format("bytes of a full cache and a call/room for {}", max_len), 1, memory, max_len);
    }
    for (const std::size_t steps : {64U, 256U}) {
        add(fmt::format("bytes copied by concatenation/{} steps", steps), 1, concatenation, steps);
    }
}

void register_growth() {
    for (const std::size_t length : {64U, 1024U, 8192U, 32768U}) {
        add(fmt::format("append 1 token/on top of {}", length), 100, append_one, length);
    }
    for (const std::size_t length : {1024U, 4096U, 16384U}) {
        add(fmt::format("decode, streaming, room for 32768/{} keys", length), 15, decode_one, length, longest, length);
    }
    for (const std::size_t max_len : {2048U, 8192U, 32768U}) {
        add(fmt::format("decode, streaming, 2048 keys/room for {}", max_len), 25, decode_one, std::size_t{2048},
            max_len, max_len);
    }
    for (const Case& wanted : cases()) {
        if (wanted.n_kv_heads == n_kv_heads) {
            const std::string group = fmt::format("layer with projections, {}/", wanted.name);
            add(group + "one pass per group", 5, layer, wanted.past, wanted.q_len, false);
            add(group + "streaming", 5, layer, wanted.past, wanted.q_len, true);
        }
    }
}

}  // namespace workbook::bench
