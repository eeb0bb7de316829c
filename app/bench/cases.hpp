/// @file
/// The cases that are measured, and what each of them takes at the least.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "part2_kv_cache/kv_cache.hpp"
#include "reference/oracle.hpp"

namespace workbook::bench {

/// A call of attention on top of a cache, for one batch row.
struct Case {
    std::string name;        ///< "GQA decode, 8192 keys"
    std::size_t n_heads;     ///< H
    std::size_t n_kv_heads;  ///< Hkv
    std::size_t past;        ///< tokens in the cache before the call
    std::size_t q_len;       ///< T
    bool quick;              ///< measured by --quick too

    static constexpr std::size_t head_dim = 128;

    [[nodiscard]] std::size_t kv_len() const { return past + q_len; }
    /// Keys and values that the call has to read.
    [[nodiscard]] double bytes() const;
    /// Floating-point operations of scores and mixing, masked pairs left out.
    [[nodiscard]] double flops() const;
    /// Whether the floor is reading the cache; otherwise it is the arithmetic.
    [[nodiscard]] bool is_decode() const { return q_len == 1; }
};

/// All cases, in the order in which they are shown.
[[nodiscard]] const std::vector<Case>& cases();

/// Numbers of about the size of normalised activations.
[[nodiscard]] Tensor<4> random_heads(std::size_t n_heads, std::size_t tokens, unsigned seed,
                                     std::size_t head_dim = Case::head_dim);

/// Queries, keys and values of a call, and caches that hold its past. Together the caches are larger than what the
/// processor keeps of memory, and take turns.
class Inputs {
public:
    explicit Inputs(const Case& wanted);

    /// The next cache, with the past in it and perhaps a few tokens more.
    [[nodiscard]] KVCache& next();

    /// A cache with the past and nothing else.
    [[nodiscard]] KVCache& fresh();

    /// How far outputs are from those of the oracle in double: the root mean square of the differences over that of the
    /// outputs, in all heads of a decode call, else in those that share the first key/value head.
    /// @param out  [1, H, T, d], of a call on a fresh cache
    [[nodiscard]] double error_of(const Tensor<4>& out);

    /// Seconds that the floor takes: reading a cache of this size that was not used for a while, or doing the
    /// multiply-adds of the call on registers, on as many threads as the call may use.
    [[nodiscard]] double floor_seconds() const;

    Tensor<4> q;               ///< [1, H, T, d]
    Tensor<4> k, v;            ///< [1, Hkv, T, d]
    Tensor<4> past_k, past_v;  ///< [1, Hkv, past, d]

private:
    void refill(KVCache& cache) const;

    const Case& case_;
    std::vector<std::unique_ptr<KVCache>> caches_;
    std::size_t turn_ = 0;
    std::optional<reference::Array<4>> expected_;  // [1, G, T, d], once it was asked for
};

/// The inputs of a case; they are kept until another case is asked for.
[[nodiscard]] Inputs& inputs_of(const Case& wanted);

/// Seconds of a piece of code.
template <class Code>
[[nodiscard]] double seconds_of(const Code& code) {
    const auto start = std::chrono::steady_clock::now();
    code();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace workbook::bench
