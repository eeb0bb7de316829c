// Step 2.3: rows that hold different numbers of tokens, and several sequences on one layer.
#include <algorithm>
#include <limits>

#include "reference/mistakes/models/cached_calls.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;
using reference::Array;
using reference::to_double;

// Rows that hold different numbers of tokens get two more in one call.
void expect_uneven_rows_match(const Lengths& past, unsigned seed, Scalar poison = 50) {
    SCOPED_TRACE("row 0 holds " + std::to_string(past[0]) + " tokens, row 1 holds " + std::to_string(past[1]));
    const Attention layer = random_layer(heads_config(2, 2, 3), seed);
    const Tensor<3> x = random_tensor<3>({2, 7, 6}, seed + 10);
    KVCache cache = poisoned_cache(layer.config(), 2, 8, poison);
    const Projected projected = layer.project(x, reference::positions_from_zero(2, 7));
    cache.append(projected.k, projected.v, past);

    const Array<3> whole = reference::forward(layer.config(), layer.weights(), to_double(x));
    Tensor<3> next({2, 2, 6});
    Array<3> expected({2, 2, 6});
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t t = 0; t < 2; ++t) {
            for (std::size_t c = 0; c < 6; ++c) {
                next(b, t, c) = x(b, past[b] + t, c);
                expected(b, t, c) = whole(b, past[b] + t, c);
            }
        }
    }
    CachedCalls calls(layer, cache);
    calls.note(next);
    const Unchanged x_stays("x", next);
    EXPECT_ANSWER(layer.forward(next, cache), expected,
                  [&](const Decisions& decisions) { return calls.answer(decisions); });
}

GRADED_TEST(CachedForward, ContinuesRowsOfDifferentLengths, "2.3", strong_hire, 3) {
    expect_uneven_rows_match({5, 2}, 2323);
    expect_uneven_rows_match({2, 5}, 2335);
    expect_uneven_rows_match({0, 5}, 2364);
    expect_uneven_rows_match({5, 0}, 2365);
}

// A sequence that is fed to a cache of its own, token by token or in chunks.
struct Stream {
    Tensor<3> x;        // [B, n, D]
    Array<3> expected;  // [B, n, D]
    KVCache cache;
    std::vector<std::size_t> calls{};  // how many tokens each has brought
    std::size_t fed = 0;

    [[nodiscard]] std::size_t left() const { return x.shape(1) - fed; }
};

// The last answer when all calls of the stream are made again, one after another, with a cache of the same size.
Tensor<3> answer_again(const Attention& layer, const Stream& stream) {
    KVCache cache = poisoned_cache(layer.config(), stream.x.shape(0), stream.cache.max_len());
    Tensor<3> y;
    std::size_t begin = 0;
    for (const std::size_t n : stream.calls) {
        y = layer.forward(tokens(stream.x, begin, begin + n), cache);
        begin += n;
    }
    return y;
}

void feed(const Attention& layer, Stream& stream, std::size_t n) {
    const Tensor<3> chunk = tokens(stream.x, stream.fed, stream.fed + n);
    const Unchanged x_stays("x", chunk);
    const Array<3> expected = xt::view(stream.expected, xt::all(), xt::range(stream.fed, stream.fed + n));
    CachedCalls calls(layer, stream.cache);
    calls.note(chunk);
    SCOPED_TRACE(std::to_string(n) + " tokens on top of " + std::to_string(stream.fed));
    const Tensor<3> y = layer.forward(chunk, stream.cache);
    stream.fed += n;
    stream.calls.push_back(n);
    EXPECT_ANSWER(y, expected, [&](const Decisions& decisions) { return calls.answer(decisions); });
    if (::testing::Test::HasFailure() && !mistakes::agrees(values_of(answer_again(layer, stream)), values_of(y))) {
        blame("same_calls_differ");
    }
}

// Several sequences on one layer, each with a cache of its own, in turn; one of two calls brings a single token.
void expect_streams_match(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t n_heads = dice.roll_wide(1, 9);
        AttentionConfig config = heads_config(n_heads, n_heads, 2 * dice.roll(1, 2));
        config.rope_base = 100;
        const Attention layer = random_layer(config, dice.seed());
        std::vector<Stream> streams;
        for (std::size_t i = dice.roll(1, 3); i > 0; --i) {
            const std::size_t n_tokens = dice.roll_wide(1, 600 / config.d_model);
            const Tensor<3> x = random_tensor<3>({dice.roll(1, 3), n_tokens, config.d_model}, dice.seed());
            streams.push_back({x, reference::forward(config, layer.weights(), to_double(x)),
                               poisoned_cache(config, x.shape(0), n_tokens + dice.roll(0, 5))});
        }
        SCOPED_TRACE("H = " + std::to_string(n_heads) + ", d = " + std::to_string(config.head_dim()) + ", " +
                     std::to_string(streams.size()) + " sequences in turn");
        const auto is_left = [](const Stream& stream) { return stream.left() > 0; };
        while (std::ranges::any_of(streams, is_left) && !::testing::Test::HasFailure()) {
            Stream& stream = streams.at(dice.roll(0, streams.size() - 1));
            const std::size_t n = dice.roll(0, 1) == 0 ? 1 : dice.roll_wide(1, 80);
            feed(layer, stream, std::min(n, stream.left()));
        }
    }
}

// A sequence of three tokens in two calls.
void expect_sequence_matches(const AttentionConfig& config, std::size_t batch, unsigned seed) {
    SCOPED_TRACE("B = " + std::to_string(batch) + ", H = " + std::to_string(config.n_heads) +
                 ", Hkv = " + std::to_string(config.n_kv_heads) + ", d = " + std::to_string(config.head_dim()));
    const Attention layer = random_layer(config, seed);
    const Tensor<3> x = random_tensor<3>({batch, 3, config.d_model}, seed + 1);
    Stream stream{x, reference::forward(config, layer.weights(), to_double(x)), poisoned_cache(config, batch, 4)};
    feed(layer, stream, 2);
    feed(layer, stream, 1);
}

// The same in a call that is too large to be compared with every mistake.
void expect_close_sequence(const AttentionConfig& config, std::size_t batch, unsigned seed) {
    SCOPED_TRACE("B = " + std::to_string(batch) + ", H = " + std::to_string(config.n_heads) +
                 ", d = " + std::to_string(config.head_dim()));
    const Attention layer = random_layer(config, seed);
    const Tensor<3> x = random_tensor<3>({batch, 2, config.d_model}, seed + 1);
    const Array<3> whole = reference::forward(config, layer.weights(), to_double(x));
    KVCache cache = poisoned_cache(config, batch, 3);
    for (const std::size_t t : {0U, 1U}) {
        const Array<3> expected = xt::view(whole, xt::all(), xt::range(t, t + 1));
        EXPECT_CLOSE(layer.forward(tokens(x, t, t + 1), cache), expected);
    }
}

// Many rows, many heads and wide ones.
void expect_large_calls_match() {
    if (::testing::Test::HasFailure()) {
        return;
    }
    expect_close_sequence(heads_config(1, 1, 1), many_threads, 2368);
    expect_close_sequence(heads_config(many_threads, many_threads, 1), 1, 2370);
    expect_close_sequence(heads_config(1, 1, 260), 1, 2372);
}

// `attend` takes grouped heads too: forward has to leave the choice to it. Part 3 may still be empty then.
void expect_grouped_calls_match() {
    try {
        expect_sequence_matches(heads_config(6, 3, 2), 2, 2374);
        expect_sequence_matches(heads_config(4, 1, 2), 2, 2376);
    } catch (const NotImplemented& error) {
        if (!std::string(error.what()).starts_with("3.")) {
            throw;
        }
    }
}

GRADED_TEST(CachedForward, NeverReadsUnwrittenSlots, "2.3", strong_hire, 2) {
    SCOPED_TRACE(
        "Unwritten slots hold NaN here. Strong hire: only live rows are read, so garbage in the rest of the buffer "
        "cannot "
        "show; reading all slots and masking them is not enough, because 0 times NaN is NaN.");
    constexpr Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    for (const Lengths& past : {Lengths{0, 0}, Lengths{3, 3}, Lengths{5, 1}, Lengths{1, 5}}) {
        expect_uneven_rows_match(past, 2331, nan);
    }
}

GRADED_TEST(CachedForward, AnswersEveryCallByItself, "2.3", hire, 1) {
    // Layers and caches in turn: nothing may be left over from the call before, or be kept for the next one.
    expect_streams_match(16, 2363);
    expect_sequence_matches(heads_config(3, 3, 1), 2, 2366);
    expect_grouped_calls_match();
    expect_large_calls_match();
}

}  // namespace
}  // namespace workbook::grading
