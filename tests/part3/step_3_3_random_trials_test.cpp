// Step 3.3: the check everything rests on, random ragged sequences against the direct oracle.
#include <algorithm>

#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/sequences.hpp"

namespace workbook::grading {
namespace {

constexpr int n_trials = 240;

AttentionConfig random_config(Dice& dice) {
    const std::size_t n_kv_heads = dice.pick<8>({1, 1, 2, 2, 3, 4, 5, 9});
    AttentionConfig config = heads_config(n_kv_heads * dice.roll(1, 8), n_kv_heads, dice.roll(1, 4));
    if (config.head_dim() % 2 == 0 && dice.roll(0, 1) == 0) {
        config.rope_base = 100;
    }
    return config;
}

// Feeds everything in chunks of 1 to 8 slots; in each call a row gets between none and all of the slots.
void feed_all(RaggedRows& rows, KVCache& cache, Dice& dice) {
    const auto any_left = [&] {
        bool left = false;
        for (std::size_t b = 0; b < cache.batch(); ++b) {
            left = left || rows.remaining(b) > 0;
        }
        return left;
    };
    while (any_left() && !::testing::Test::HasFailure()) {
        const std::size_t slots = dice.roll(1, 8);
        Lengths n_new(cache.batch());
        for (std::size_t b = 0; b < n_new.size(); ++b) {
            n_new[b] = std::min(dice.roll(0, slots), rows.remaining(b));
        }
        rows.feed(cache, n_new, slots);
    }
}

GRADED_TEST(RandomTrials, MatchTheDirectOracle, "3.3", strong_hire, 6) {
    Dice dice(20260101);
    std::size_t comparisons = 0;
    for (int trial = 0; trial < n_trials && !::testing::Test::HasFailure(); ++trial) {
        const AttentionConfig config = random_config(dice);
        const Attention layer = random_layer(config, static_cast<unsigned>(10 * trial));
        Lengths final_lengths(dice.roll(1, 3));
        std::ranges::generate(final_lengths, [&] { return dice.roll(0, 40); });
        SCOPED_TRACE("trial " + std::to_string(trial) + ": H = " + std::to_string(config.n_heads) +
                     ", Hkv = " + std::to_string(config.n_kv_heads) + ", d = " + std::to_string(config.head_dim()));
        KVCache cache = poisoned_cache(config, final_lengths.size(), dice.roll(40, 100));
        RaggedRows rows(layer, cache, final_lengths, static_cast<unsigned>(5000 + 10 * trial));
        feed_all(rows, cache, dice);
        comparisons += rows.comparisons();
    }
    std::ostringstream text;
    text << n_trials << " random trials, " << comparisons << " rows compared, equal to " << tolerance();
    remark(text.str());
    EXPECT_GT(comparisons, 2000U);
}

}  // namespace
}  // namespace workbook::grading
