// Step 2.1: what KVCache::append refuses, what it takes up to the last slot, and KVCache::reset.
#include <string>

#include "app/run/allocations.hpp"
#include "tests/part2/checked_cache.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/long_extent.hpp"
#include "tests/support/refuses.hpp"

namespace workbook::grading {
namespace {

GRADED_TEST(Append, RefusesTokensBeyondTheCapacity, "2.1", hire, 2) {
    KVCache cache = empty_cache();
    append(cache, random_chunk(7, {7, 7, 7}, 2127));
    ASSERT_EQ(cache.lengths(), (Lengths{7, 7, 7}));
    // Only row 0 gets too many: written all the same, they land in the next row, and the process lives to tell.
    expect_overflow_refused("append of 2 tokens to 7 of 8", [&] { append(cache, random_chunk(2, {2, 1, 1}, 2129)); });
    KVCache empty = empty_cache();
    expect_overflow_refused("append of 9 tokens to none of 8", [&] {
        append(empty, random_chunk(9, {9, 1, 1}, 2167));
    });
    KVCache single = empty_cache({.max_len = 1});
    expect_overflow_refused("append of 2 tokens to none of 1", [&] {
        append(single, random_chunk(2, {2, 1, 1}, 2171));
    });
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

// Fills a cache at random, empties it and fills it again.
void expect_reset(const Extents& extents, Dice& dice) {
    CheckedCache cache(extents);
    for (int sequence = 0; sequence < 2 && !::testing::Test::HasFailure(); ++sequence) {
        Lengths n_new(extents.batch);
        for (std::size_t& n : n_new) {
            n = sequence == 0 ? extents.max_len : dice.roll_wide(1, extents.max_len);
        }
        cache.append(random_chunk(extents.max_len, n_new, dice.seed(), extents));
        cache.reset();
    }
}

void expect_resets_in_trials(int n_trials, unsigned seed) {
    Dice dice(seed);
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        expect_reset({dice.roll(1, 4), dice.roll_wide(1, 5), dice.roll_wide(1, 600), dice.roll(1, 3)}, dice);
    }
    for (const auto& [batch, n_kv_heads, max_len] : each_long<3>({1, 1, 1})) {
        expect_reset({batch, n_kv_heads, max_len, 1}, dice);
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
    expect_resets_in_trials(20, 2169);
    CheckedCache first_row_empty;
    first_row_empty.append(random_chunk(4, {0, 4, 2}, 2157));
    first_row_empty.reset();
}

}  // namespace
}  // namespace workbook::grading
