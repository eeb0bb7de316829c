#include "app/bench/cases.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "app/bench/floor/floor_code.hpp"
#include "follow_ups/streaming/fast/in_parallel.hpp"

namespace workbook::bench {

namespace {

// Caches of a case take this much memory at the least: several times what a processor keeps of it.
constexpr double rotated_bytes = 192e6;

}  // namespace

double Case::bytes() const {
    return static_cast<double>(2 * n_kv_heads * kv_len() * head_dim * sizeof(Scalar));
}

double Case::flops() const {
    const std::size_t pairs = q_len * past + q_len * (q_len + 1) / 2;
    return static_cast<double>(4 * n_heads * pairs * head_dim);  // a multiply-add for the score, one for the mix
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"GQA decode, 8192 keys", 32, 8, 8191, 1, true},    {"GQA decode, 2048 keys", 32, 8, 2047, 1, true},
        {"GQA decode, 512 keys", 32, 8, 511, 1, false},     {"MHA decode, 8192 keys", 32, 32, 8191, 1, false},
        {"GQA prefill, 512 tokens", 32, 8, 0, 512, true},   {"MHA prefill, 512 tokens", 32, 32, 0, 512, false},
        {"GQA chunk, 128 on 1920", 32, 8, 1920, 128, true}, {"MHA chunk, 128 on 1920", 32, 32, 1920, 128, false},
    };
    return all;
}

Tensor<4> random_heads(std::size_t n_heads, std::size_t tokens, unsigned seed, std::size_t head_dim) {
    std::minstd_rand generator(seed);
    std::uniform_real_distribution<double> uniform(-1.7, 1.7);  // variance 1
    Tensor<4> heads({1, n_heads, tokens, head_dim});
    std::ranges::generate(heads, [&] { return static_cast<Scalar>(uniform(generator)); });
    return heads;
}

Inputs::Inputs(const Case& wanted)
    : q(random_heads(wanted.n_heads, wanted.q_len, 1)),
      k(random_heads(wanted.n_kv_heads, wanted.q_len, 2)),
      v(random_heads(wanted.n_kv_heads, wanted.q_len, 3)),
      past_k(random_heads(wanted.n_kv_heads, wanted.past, 4)),
      past_v(random_heads(wanted.n_kv_heads, wanted.past, 5)),
      case_(wanted) {
    const auto count = static_cast<std::size_t>(std::max(2.0, rotated_bytes / wanted.bytes()));
    const std::size_t spare = wanted.is_decode() ? 64 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        caches_.push_back(std::make_unique<KVCache>(1, wanted.n_kv_heads, wanted.kv_len() + spare, Case::head_dim));
        refill(*caches_.back());
    }
}

void Inputs::refill(KVCache& cache) const {
    cache.reset();
    cache.append(past_k, past_v, {case_.past});
}

KVCache& Inputs::next() {
    turn_ = (turn_ + 1) % caches_.size();
    KVCache& cache = *caches_[turn_];
    const bool grown_too_long = cache.length(0) + case_.q_len > cache.max_len();
    if (grown_too_long || !case_.is_decode()) {
        refill(cache);
    }
    return cache;
}

KVCache& Inputs::fresh() {
    refill(*caches_.front());
    return *caches_.front();
}

double Inputs::error_of(const Tensor<4>& out) {
    const std::size_t group_size = case_.n_heads / case_.n_kv_heads;
    const std::size_t groups = case_.is_decode() ? case_.n_kv_heads : 1;  // the oracle is slow
    const auto in_first = [](const Tensor<4>& heads, std::size_t count) {
        return reference::Array<4>(xt::view(heads, xt::all(), xt::range(std::size_t{0}, count)));
    };
    if (!expected_) {
        const auto of_groups = [&](const Tensor<4>& past, const Tensor<4>& tokens) {
            return in_first(xt::concatenate(xt::xtuple(past, tokens), 2), groups);
        };
        expected_ = reference::attend(in_first(q, groups * group_size), of_groups(past_k, k), of_groups(past_v, v),
                                      call_positions({case_.past}, case_.q_len));
    }
    const reference::Array<4> difference = in_first(out, groups * group_size) - *expected_;
    const double squares = xt::sum(difference * difference)();
    const double of_expected = xt::sum(*expected_ * *expected_)();
    return std::sqrt(squares / of_expected);
}

double Inputs::floor_seconds() const {
    const FloorCode& code = floor_code();
    const std::size_t n = case_.n_kv_heads;
    if (!case_.is_decode()) {
        const auto multiply_adds = static_cast<std::size_t>(case_.flops() / 2) / n;
        return seconds_of(
            [&] { in_parallel(n, [&](std::size_t) { benchmark::DoNotOptimize(code.multiply_adds(multiply_adds)); }); });
    }
    const KVCache& other = *caches_[(turn_ + 1 + caches_.size() / 2) % caches_.size()];
    const std::size_t head = other.max_len() * Case::head_dim;
    const std::size_t live = case_.kv_len() * Case::head_dim;
    return seconds_of([&] {
        in_parallel(n, [&](std::size_t g) {
            benchmark::DoNotOptimize(code.read(other.keys().data() + g * head, live));
            benchmark::DoNotOptimize(code.read(other.values().data() + g * head, live));
        });
    });
}

Inputs& inputs_of(const Case& wanted) {
    static std::unique_ptr<Inputs> inputs;
    static const Case* of = nullptr;
    if (!inputs || of != &wanted) {
        inputs.reset();  // its memory first
        inputs = std::make_unique<Inputs>(wanted);
        of = &wanted;
    }
    return *inputs;
}

}  // namespace workbook::bench
