// Step 2.1: KVCache::append and KVCache::reset.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "app/run/allocations.hpp"
#include "reference/mistakes/models/cached_calls.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refuses.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;

// The extents of a cache.
struct Extents {
    std::size_t batch = 3;
    std::size_t n_kv_heads = 5;
    std::size_t max_len = 8;
    std::size_t head_dim = 2;
};

// Keys and values to append, [B, Hkv, T, d]; every element of every chunk differs.
struct Chunk {
    Tensor<4> k, v;
    Lengths n_new;
};

Chunk random_chunk(std::size_t slots, const Lengths& n_new, unsigned seed, const Extents& extents = {}) {
    const std::array<std::size_t, 4> shape{n_new.size(), extents.n_kv_heads, slots, extents.head_dim};
    return {random_tensor<4>(shape, seed), random_tensor<4>(shape, seed + 1), n_new};
}

void append(KVCache& cache, const Chunk& chunk) {
    cache.append(chunk.k, chunk.v, chunk.n_new);
}

KVCache empty_cache(const Extents& extents = {}) {
    KVCache cache(extents.batch, extents.n_kv_heads, extents.max_len, extents.head_dim);
    cache.keys().fill(50);
    cache.values().fill(-50);
    return cache;
}

// What a buffer holds after the chunk's real tokens were written behind `past`.
void write_expected(Tensor<4>& buffer, const Tensor<4>& rows, const Lengths& past, const Lengths& n_new) {
    for (std::size_t b = 0; b < n_new.size(); ++b) {
        for (std::size_t h = 0; h < rows.shape(1); ++h) {
            for (std::size_t t = 0; t < n_new[b]; ++t) {
                for (std::size_t c = 0; c < rows.shape(3); ++c) {
                    buffer(b, h, past[b] + t, c) = rows(b, h, t, c);
                }
            }
        }
    }
}

// A cache beside what it should hold.
class CheckedCache {
public:
    explicit CheckedCache(const Extents& extents = {}) : cache_(empty_cache(extents)), lengths_(extents.batch, 0) {}

    // Appends and compares the whole buffers, unwritten slots included, and the lengths.
    void append(const Chunk& chunk) {
        calls_.emplace_back(chunk);
        const Unchanged k_stays("k", chunk.k);
        const Unchanged v_stays("v", chunk.v);
        const Unchanged n_new_stays("n_new", chunk.n_new);
        fitting([&] { cache_.append(chunk.k, chunk.v, chunk.n_new); },
                [&](const Decisions& decisions) { return replay(decisions); });
        write_expected(keys_, chunk.k, lengths_, chunk.n_new);
        write_expected(values_, chunk.v, lengths_, chunk.n_new);
        for (std::size_t b = 0; b < lengths_.size(); ++b) {
            lengths_[b] += chunk.n_new[b];
        }
        expect_state();
    }

    void reset() {
        calls_.emplace_back(std::nullopt);
        cache_.reset();
        lengths_.assign(lengths_.size(), 0);
        expect_shapes();
        expect_lengths();
        // What the slots hold now is the cache's own affair: reset may clear them or leave them.
        start_ = state_of(cache_);
        calls_.clear();
        keys_ = cache_.keys();
        values_ = cache_.values();
    }

    KVCache& cache() { return cache_; }
    [[nodiscard]] const Lengths& lengths() const { return lengths_; }

private:
    void expect_shapes() const {
        if (cache_.keys().shape() != keys_.shape() || cache_.values().shape() != values_.shape()) {
            blame("cache_reallocated");
            FAIL() << "the buffers have other shapes now: keys " << shape_text(cache_.keys().shape()) << ", values "
                   << shape_text(cache_.values().shape()) << "; they have to stay " << shape_text(keys_.shape());
        }
    }

    void expect_lengths() const {
        ASSERT_ANSWER(as_array(cache_.lengths()), as_array(lengths_), [&](const Decisions& decisions) {
            return as_array(replay(decisions).lengths);
        }) << "the lengths";
    }

    void expect_state() const {
        expect_shapes();
        expect_lengths();
        if (::testing::Test::HasFailure()) {
            return;
        }
        ASSERT_ANSWER(cache_.keys(), keys_, [&](const Decisions& decisions) { return replay(decisions).keys; });
        ASSERT_ANSWER(cache_.values(), values_, [&](const Decisions& decisions) { return replay(decisions).values; });
        ASSERT_TRUE(cache_.keys() == keys_ && cache_.values() == values_) << "tokens have to be stored as they are";
    }

    // The cache after all calls.
    [[nodiscard]] mistakes::CacheState replay(const Decisions& decisions) const {
        mistakes::CacheState state = start_;
        for (const std::optional<Chunk>& call : calls_) {
            if (call) {
                mistakes::append(state, reference::to_double(call->k), reference::to_double(call->v), call->n_new,
                                 decisions);
            } else {
                mistakes::reset(state, decisions);
            }
        }
        return state;
    }

    KVCache cache_;
    mistakes::CacheState start_ = state_of(cache_);
    std::vector<std::optional<Chunk>> calls_;  // nothing: a reset
    Tensor<4> keys_ = cache_.keys();
    Tensor<4> values_ = cache_.values();
    Lengths lengths_;
};

void expect_buffers_after(const std::vector<Chunk>& chunks) {
    CheckedCache cache;
    for (const Chunk& chunk : chunks) {
        cache.append(chunk);
        if (::testing::Test::HasFailure()) {
            return;
        }
    }
}

// Appends chunks of any size to rows that fill up at different speeds.
void expect_buffers_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const Extents extents{dice.roll(1, 4), dice.roll_wide(1, 12), dice.roll_wide(1, 1200), dice.roll(1, 5)};
        SCOPED_TRACE("a cache of " + shape_text(std::array<std::size_t, 4>{extents.batch, extents.n_kv_heads,
                                                                           extents.max_len, extents.head_dim}));
        CheckedCache cache(extents);
        for (int call = 0; call < 4 && !::testing::Test::HasFailure(); ++call) {
            const std::size_t slots = dice.roll_wide(1, extents.max_len);
            Lengths n_new(extents.batch);
            for (std::size_t b = 0; b < extents.batch; ++b) {
                n_new[b] = dice.roll(0, std::min(slots, extents.max_len - cache.lengths()[b]));
            }
            cache.append(random_chunk(slots, n_new, dice.seed(), extents));
        }
    }
}

// The buffers lie where they lay before.
void expect_in_place(const KVCache& cache, const Scalar* keys, const Scalar* values) {
    if (cache.keys().data() != keys || cache.values().data() != values) {
        blame("cache_reallocated");
        ADD_FAILURE() << "the buffer of " << (cache.keys().data() != keys ? "keys" : "values")
                      << " is another one now: the cache has to be written in place";
    }
}

GRADED_TEST(Append, WritesThePromptIntoTheFirstSlots, "2.1", hire, 3) {
    expect_buffers_after({random_chunk(3, {3, 3, 3}, 2101)});
}

GRADED_TEST(Append, WritesLaterTokensBehindTheEarlierOnes, "2.1", hire, 3) {
    expect_buffers_after(
        {random_chunk(3, {3, 3, 3}, 2103), random_chunk(2, {2, 2, 2}, 2105), random_chunk(1, {1, 1, 1}, 2107)});
}

GRADED_TEST(Append, TakesADifferentNumberOfTokensInEachRow, "2.1", hire, 3) {
    expect_buffers_after(
        {random_chunk(3, {2, 3, 1}, 2109), random_chunk(3, {3, 1, 0}, 2111), random_chunk(2, {0, 2, 1}, 2113)});
    expect_buffers_in_trials(25, 2161);
}

GRADED_TEST(Append, FillsTheCacheToTheLastSlot, "2.1", hire, 2) {
    expect_buffers_after({random_chunk(5, {5, 5, 5}, 2115), random_chunk(3, {3, 3, 3}, 2117)});
}

GRADED_TEST(Append, WritesInPlaceAndNeverMovesTheBuffers, "2.1", hire, 3) {
    KVCache cache = empty_cache();
    const Scalar* keys = cache.keys().data();
    const Scalar* values = cache.values().data();
    append(cache, random_chunk(4, {4, 4, 4}, 2119));
    const KeyValues earlier = cache.live();
    append(cache, random_chunk(3, {3, 3, 3}, 2121));
    expect_in_place(cache, keys, values);
    cache.keys()(1, 2, 0, 0) = 123;  // a view taken earlier shows what is written to the buffer
    EXPECT_EQ(earlier.keys(1, 2)(0, 0), 123);
}

GRADED_TEST(Append, KeepsTwoCachesApart, "2.1", hire, 1) {
    KVCache first = empty_cache();
    KVCache second = empty_cache();
    append(first, random_chunk(2, {2, 2, 2}, 2123));
    const Tensor<4> keys = first.keys();
    append(second, random_chunk(3, {3, 3, 3}, 2125));
    EXPECT_CLOSE(first.keys(), keys);
    EXPECT_EQ(first.lengths(), (Lengths{2, 2, 2}));
    EXPECT_EQ(second.lengths(), (Lengths{3, 3, 3}));
}

GRADED_TEST(Append, RefusesTokensBeyondTheCapacity, "2.1", hire, 2) {
    KVCache cache = empty_cache();
    append(cache, random_chunk(7, {7, 7, 7}, 2127));
    ASSERT_EQ(cache.lengths(), (Lengths{7, 7, 7}));
    expect_overflow_refused("append of 2 tokens to 7 of 8", [&] { append(cache, random_chunk(2, {2, 2, 2}, 2129)); });
}

// One row of three is too full for two more tokens; no row may have changed then, and a smaller append still works.
void expect_refused_as_a_whole(std::size_t full_row) {
    SCOPED_TRACE("row " + std::to_string(full_row) + " of 3 holds 7 of 8 tokens, the others hold 2; each gets 2 more");
    KVCache cache = empty_cache();
    Lengths lengths{2, 2, 2};
    lengths[full_row] = 7;
    append(cache, random_chunk(7, lengths, 2131));
    ASSERT_EQ(cache.lengths(), lengths);
    Tensor<4> keys = cache.keys();
    const Tensor<4> values = cache.values();
    expect_overflow_refused("append of 2 tokens", [&] { append(cache, random_chunk(2, {2, 2, 2}, 2133)); });
    expect_unchanged(cache, lengths, keys, values);

    const Chunk smaller = random_chunk(2, {1, 1, 1}, 2135);
    append(cache, smaller);
    write_expected(keys, smaller.k, lengths, smaller.n_new);
    EXPECT_CLOSE(cache.keys(), keys);
}

GRADED_TEST(Append, RefusesBeforeItWritesAnything, "2.1", strong_hire, 4) {
    for (const std::size_t full_row : {0U, 1U, 2U}) {
        expect_refused_as_a_whole(full_row);
    }
}

GRADED_TEST(Append, CountsRealTokensAndNotPadding, "2.1", strong_hire, 2) {
    // Four slots of which one is real fit behind seven of eight tokens.
    expect_buffers_after({random_chunk(7, {7, 4, 0}, 2137), random_chunk(4, {1, 4, 3}, 2139)});
}

GRADED_TEST(Append, TakesAnEmptyChunkAndAnEmptyBatch, "2.1", strong_hire, 2) {
    expect_buffers_after(
        {random_chunk(0, {0, 0, 0}, 2141), random_chunk(2, {0, 0, 0}, 2143), random_chunk(2, {2, 2, 2}, 2145)});
    expect_buffers_after(
        {random_chunk(8, {8, 8, 3}, 2157), random_chunk(2, {0, 0, 2}, 2159)});  // nothing to a full row
    KVCache no_rows = empty_cache({.batch = 0});
    append(no_rows, random_chunk(3, {}, 2147));
    EXPECT_EQ(no_rows.lengths(), Lengths{});
}

GRADED_TEST(Append, AllocatesNothing, "2.1", strong_hire, 3) {
    KVCache cache = empty_cache();
    append(cache, random_chunk(3, {3, 3, 3}, 2149));
    const Chunk chunk = random_chunk(2, {2, 2, 2}, 2151);
    const Scalar* keys = cache.keys().data();
    const Allocations used = count_allocations([&] { append(cache, chunk); });
    if (used.count != 0) {
        blame(cache.keys().data() != keys ? "cache_reallocated" : "append_through_temporary");
        ADD_FAILURE() << "append allocated " << used.total_bytes
                      << " bytes. Strong hire: new rows go straight into their slots, without a temporary copy. (An "
                         "assignment to an xt::view makes one unless it is wrapped in xt::noalias.)";
    }
}

GRADED_TEST(Reset, StartsAShorterSequenceInTheSameBuffers, "2.1", hire, 3) {
    CheckedCache checked;
    KVCache& cache = checked.cache();
    const Scalar* keys = cache.keys().data();
    const Scalar* values = cache.values().data();
    checked.append(random_chunk(4, {4, 4, 4}, 2153));
    checked.reset();
    EXPECT_EQ(cache.keys().shape(), (std::array<std::size_t, 4>{3, 5, 8, 2})) << "reset has to keep the buffers";
    expect_in_place(cache, keys, values);
    if (!::testing::Test::HasFailure()) {
        checked.append(random_chunk(2, {2, 1, 0}, 2155));
    }
}

}  // namespace
}  // namespace workbook::grading
