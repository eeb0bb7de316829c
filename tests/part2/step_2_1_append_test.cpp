// Step 2.1: where KVCache::append writes.
#include <algorithm>
#include <array>

#include "tests/part2/checked_cache.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

// Appends chunks of any size to rows that fill up at different speeds.
void expect_buffers_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const Extents extents{dice.roll(1, 4), dice.roll_wide(1, 12), dice.roll_wide(1, 1200), dice.roll(1, 5)};
        SCOPED_TRACE("a cache of " + shape_text(std::array<std::size_t, 4>{extents.batch, extents.n_kv_heads,
                                                                           extents.max_len, extents.head_dim}));
        CheckedCache cache(extents);
        for (int call = 0; call < 4 && !::testing::Test::HasFailure(); ++call) {
            const std::size_t slots = dice.roll_wide(1, 2 * extents.max_len);  // many of them for padding
            Lengths n_new(extents.batch);
            for (std::size_t b = 0; b < extents.batch; ++b) {
                n_new[b] = dice.roll(0, std::min(slots, extents.max_len - cache.lengths()[b]));
            }
            cache.append(random_chunk(slots, n_new, dice.seed(), extents));
        }
    }
}

// Fills caches that are long in one direction.
void expect_buffers_when_long() {
    for (const auto& [batch, n_kv_heads, max_len, head_dim] : each_long<4>({1, 1, 2, 2})) {
        const Extents extents{batch, n_kv_heads, max_len, head_dim};
        CheckedCache cache(extents);
        cache.append(random_chunk(max_len - 1, Lengths(batch, max_len - 1), 2163, extents));
        cache.append(random_chunk(1, Lengths(batch, 1), 2165, extents));
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
    expect_buffers_when_long();
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

}  // namespace
}  // namespace workbook::grading
