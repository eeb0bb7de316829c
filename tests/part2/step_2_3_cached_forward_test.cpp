// Step 2.3: forward on top of a cache.
#include <stdexcept>

#include "app/run/allocations.hpp"
#include "reference/mistakes/models/cached_calls.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refuses.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;
using reference::Array;
using reference::to_double;
using Chunks = std::vector<std::size_t>;

Attention two_heads(unsigned seed) {
    return random_layer(heads_config(2, 2, 3), seed);
}

std::string chunks_text(const Chunks& chunks) {
    std::string text = "chunks";
    for (const std::size_t n : chunks) {
        text += " " + std::to_string(n);
    }
    return text;
}

// Feeds the sequence in chunks and compares every output with the uncached oracle's.
void expect_chunks_match(const Attention& layer, const Tensor<3>& x, const Chunks& chunks, KVCache& cache) {
    SCOPED_TRACE(chunks_text(chunks) + " into a cache of " + std::to_string(cache.max_len()) + " slots");
    const Array<3> expected = reference::forward(layer.config(), layer.weights(), to_double(x));
    Tensor<3> expected_scalar(expected.shape());
    std::copy(expected.begin(), expected.end(), expected_scalar.begin());
    CachedCalls calls(layer, cache);
    std::size_t begin = 0;
    for (const std::size_t n : chunks) {
        SCOPED_TRACE("tokens " + std::to_string(begin) + " to " + std::to_string(begin + n) + " (exclusive)");
        const Tensor<3> chunk = tokens(x, begin, begin + n);
        calls.note(chunk);
        const auto answer = [&](const Decisions& decisions) { return calls.answer(decisions); };
        const Unchanged x_stays("x", chunk);
        const Tensor<3> y = fitting([&] { return layer.forward(chunk, cache); }, answer);
        begin += n;
        // Lengths are compared whatever the answer is: mistakes that answer alike may differ there.
        EXPECT_ANSWER(y, tokens(expected_scalar, begin - n, begin), answer);
        ASSERT_ANSWER(as_array(cache.lengths()), as_array(Lengths(x.shape(0), begin)), [&](const Decisions& decisions) {
            return calls.lengths(decisions);
        }) << "the lengths of the cache after the call";
        if (::testing::Test::HasFailure()) {
            return;
        }
    }
}

void expect_chunks_match(const Attention& layer, const Chunks& chunks, unsigned seed, std::size_t max_len = 8) {
    std::size_t total = 0;
    for (const std::size_t n : chunks) {
        total += n;
    }
    KVCache cache = poisoned_cache(layer.config(), 3, max_len);
    expect_chunks_match(layer, random_tensor<3>({3, total, layer.config().d_model}, seed), chunks, cache);
}

GRADED_TEST(CachedForward, MatchesTheUncachedOneForAWholePrompt, "2.3", hire, 3) {
    expect_chunks_match(two_heads(2301), {6}, 2302);
}

GRADED_TEST(CachedForward, MatchesTheUncachedOneTokenByToken, "2.3", hire, 2) {
    expect_chunks_match(two_heads(2303), {1, 1, 1, 1, 1, 1}, 2304);
}

GRADED_TEST(CachedForward, MatchesTheUncachedOneForAPromptAndThenTokens, "2.3", hire, 2) {
    expect_chunks_match(two_heads(2305), {4, 1, 1}, 2306);
}

GRADED_TEST(CachedForward, MatchesTheUncachedOneInChunks, "2.3", strong_hire, 3) {
    // A chunk of several tokens on top of a cache: a mask by row and column of the call is right before and after it.
    expect_chunks_match(two_heads(2307), {3, 2, 1}, 2308);
}

GRADED_TEST(CachedForward, MatchesTheUncachedOneForEveryWayOfCuttingSixTokens, "2.3", strong_hire, 2) {
    const Attention layer = two_heads(2309);
    for (unsigned cuts = 0; cuts < 32; ++cuts) {  // bit i set: cut behind token i
        Chunks chunks{1};
        for (unsigned i = 0; i < 5; ++i) {
            if ((cuts >> i & 1U) != 0) {
                chunks.push_back(1);
            } else {
                ++chunks.back();
            }
        }
        expect_chunks_match(layer, chunks, 2310);
    }
}

GRADED_TEST(CachedForward, WorksWhenTheCacheIsExactlyFull, "2.3", hire, 1) {
    expect_chunks_match(two_heads(2311), {5, 3}, 2312);
}

GRADED_TEST(CachedForward, ContinuesThePositionsAcrossCalls, "2.3", hire, 2) {
    AttentionConfig config = heads_config(2, 2, 4);
    config.rope_base = 100;  // rotary positions show what a mask alone does not
    expect_chunks_match(random_layer(config, 2313), {3, 1, 1, 1}, 2314);
}

GRADED_TEST(CachedForward, StoresKeysAfterRotation, "2.3", hire, 1) {
    // Rotation depends on a key's own position only, so it is done once, before the key is cached.
    AttentionConfig config = heads_config(2, 2, 4);
    config.rope_base = 100;
    const Attention layer = random_layer(config, 2339);
    const Tensor<3> x = random_tensor<3>({2, 6, 8}, 2340);
    KVCache cache = poisoned_cache(config, 2, 6);
    expect_chunks_match(layer, x, {4, 1, 1}, cache);
    const Projected whole = layer.project(x, reference::positions_from_zero(2, 6));
    EXPECT_CLOSE(cache.keys(), to_double(whole.k));
    EXPECT_CLOSE(cache.values(), to_double(whole.v));
}

GRADED_TEST(CachedForward, WritesInPlace, "2.3", hire, 2) {
    const Attention layer = two_heads(2315);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    const Scalar* keys = cache.keys().data();
    const Scalar* values = cache.values().data();
    expect_chunks_match(layer, random_tensor<3>({2, 6, 6}, 2316), {4, 1, 1}, cache);
    if (cache.keys().data() != keys || cache.values().data() != values) {
        blame("cache_reallocated");
        ADD_FAILURE() << "a buffer of the cache is another one after the calls";
    }
}

GRADED_TEST(CachedForward, StartsOverAfterReset, "2.3", hire, 2) {
    const Attention layer = two_heads(2317);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    expect_chunks_match(layer, random_tensor<3>({2, 4, 6}, 2318), {4}, cache);
    cache.reset();
    expect_chunks_match(layer, random_tensor<3>({2, 3, 6}, 2319), {2, 1}, cache);
}

GRADED_TEST(CachedForward, KeepsTwoCachesOfOneLayerApart, "2.3", hire, 2) {
    const Attention layer = two_heads(2320);
    const Tensor<3> x = random_tensor<3>({2, 5, 6}, 2321);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    KVCache other = poisoned_cache(layer.config(), 2, 8);
    const Tensor<3> prompt = layer.forward(tokens(x, 0, 3), cache);
    const Tensor<3> unrelated = layer.forward(random_tensor<3>({2, 4, 6}, 2322), other);
    const Tensor<3> rest = layer.forward(tokens(x, 3, 5), cache);
    KVCache alone = poisoned_cache(layer.config(), 2, 8);
    EXPECT_CLOSE(prompt, layer.forward(tokens(x, 0, 3), alone));
    EXPECT_CLOSE(rest, layer.forward(tokens(x, 3, 5), alone));
    if (::testing::Test::HasFailure()) {
        blame("same_calls_differ");
    }
    const Array<3> whole = reference::forward(layer.config(), layer.weights(), to_double(x));
    EXPECT_NEAR(static_cast<double>(rest(1, 1, 5)), whole(1, 4, 5), tolerance());
}

GRADED_TEST(CachedForward, StaysFiniteForScoresInTheThousands, "2.3", strong_hire, 1) {
    const Attention layer = two_heads(2337);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    expect_chunks_match(layer, random_tensor<3>({2, 6, 6}, 2338, 40.0), {3, 2, 1}, cache);
}

GRADED_TEST(CachedForward, RefusesOverflowAndChangesNothing, "2.3", strong_hire, 3) {
    const Attention layer = two_heads(2325);
    const Tensor<3> x = random_tensor<3>({2, 9, 6}, 2326);
    KVCache cache = poisoned_cache(layer.config(), 2, 8);
    expect_chunks_match(layer, tokens(x, 0, 7), {7}, cache);
    ASSERT_EQ(cache.lengths(), (Lengths{7, 7}));
    const Tensor<4> keys = cache.keys();
    const Tensor<4> values = cache.values();
    expect_overflow_refused("forward of 2 tokens on top of 7 of 8",
                            [&] { (void)layer.forward(tokens(x, 7, 9), cache); });
    expect_unchanged(cache, {7, 7}, keys, values);
    const Array<3> whole = reference::forward(layer.config(), layer.weights(), to_double(x));
    const Tensor<3> last = layer.forward(tokens(x, 7, 8), cache);  // one more still fits
    EXPECT_NEAR(static_cast<double>(last(1, 0, 3)), whole(1, 7, 3), tolerance());
}

GRADED_TEST(CachedForward, AddsALargeChunkToALongPast, "2.3", strong_hire, 3) {
    // 512 tokens on top of 3,000: the case that a T × T mask gets wrong.
    const Attention layer = random_layer(heads_config(1, 1, 2), 2327);
    const std::size_t past = 3000;
    const std::size_t q_len = 512;
    const Tensor<3> x = random_tensor<3>({1, past + q_len, 2}, 2328);
    const Positions all = reference::positions_from_zero(1, past + q_len);
    const Projected projected = layer.project(x, all);
    KVCache cache = poisoned_cache(layer.config(), 1, 4096);
    cache.append(projected.k, projected.v, {past});

    const Tensor<3> chunk = tokens(x, past, past + q_len);
    Positions positions({1, q_len});
    for (std::size_t t = 0; t < q_len; ++t) {
        positions(0, t) = static_cast<Position>(past + t);
    }
    const reference::Heads heads = reference::project(layer.config(), layer.weights(), to_double(x), all);
    const Array<4> q = reference::project(layer.config(), layer.weights(), to_double(chunk), positions).q;
    const Array<4> mixed = reference::attend(q, heads.k, heads.v, positions);
    EXPECT_CLOSE(layer.forward(chunk, cache), reference::matmul(reference::merge_heads(mixed), layer.weights().wo));
}

GRADED_TEST(CachedForward, TakesEmptyCalls, "2.3", strong_hire, 2) {
    const Attention layer = two_heads(2329);
    expect_chunks_match(layer, {0, 3, 0, 2}, 2330);
    KVCache no_rows = poisoned_cache(layer.config(), 0, 8);
    EXPECT_CLOSE(layer.forward(Tensor<3>({0, 3, 6}), no_rows), Tensor<3>({0, 3, 6}));
}

GRADED_TEST(CachedForward, CopiesNothingOutOfTheCache, "2.3", strong_hire, 1) {
    const Attention layer = random_layer(heads_config(2, 2, 64), 2361);
    const std::size_t past = 500;
    const Tensor<3> x = random_tensor<3>({1, past + 1, 128}, 2362);
    KVCache cache = poisoned_cache(layer.config(), 1, past + 1);
    // Not through forward: what it keeps between calls has to be allocated in the call that is measured.
    const Projected prompt = layer.project(tokens(x, 0, past), reference::positions_from_zero(1, past));
    cache.append(prompt.k, prompt.v, {past});
    const Tensor<3> last = tokens(x, past, past + 1);
    const std::size_t bytes = count_allocations([&] { (void)layer.forward(last, cache); }).total_bytes;
    if (bytes >= cache.bytes() / 2) {
        blame("cache_copied");
        ADD_FAILURE() << "one token on top of " << past << " allocates " << bytes << " bytes; the cache has "
                      << cache.bytes()
                      << ". Strong hire: cached keys and values are read where they are, not copied, "
                         "concatenated or computed again.";
    }
}

GRADED_TEST(CachedForward, AllocatesTheSameForAnyCapacity, "2.3", strong_hire, 2) {
    const Attention layer = two_heads(2333);
    const Tensor<3> x = random_tensor<3>({2, 6, 6}, 2334);
    const auto bytes_of_decode = [&](std::size_t max_len) {
        KVCache cache = poisoned_cache(layer.config(), 2, max_len);
        (void)layer.forward(tokens(x, 0, 5), cache);
        const Tensor<3> last = tokens(x, 5, 6);
        return count_allocations([&] { (void)layer.forward(last, cache); }).total_bytes;
    };
    const std::size_t small = bytes_of_decode(64);
    const std::size_t large = bytes_of_decode(4096);
    if (small != large) {
        blame("work_grows_with_capacity");
        ADD_FAILURE() << "one token allocates " << small << " bytes with a cache of 64 slots and " << large
                      << " bytes with one of 4,096. Strong hire: a call works on live tokens, so the capacity does not "
                         "matter.";
    }
}

}  // namespace
}  // namespace workbook::grading
