#include "tests/part2/checked_cache.hpp"

#include <array>

#include "tests/support/answer.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {

Chunk random_chunk(std::size_t slots, const Lengths& n_new, unsigned seed, const Extents& extents) {
    const std::array<std::size_t, 4> shape{n_new.size(), extents.n_kv_heads, slots, extents.head_dim};
    return {random_tensor<4>(shape, seed), random_tensor<4>(shape, seed + 1), n_new};
}

void append(KVCache& cache, const Chunk& chunk) {
    cache.append(chunk.k, chunk.v, chunk.n_new);
}

KVCache empty_cache(const Extents& extents) {
    KVCache cache(extents.batch, extents.n_kv_heads, extents.max_len, extents.head_dim);
    cache.keys().fill(50);
    cache.values().fill(-50);
    return cache;
}

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

void CheckedCache::append(const Chunk& chunk) {
    calls_.emplace_back(chunk);
    const Unchanged k_stays("k", chunk.k);
    const Unchanged v_stays("v", chunk.v);
    const Unchanged n_new_stays("n_new", chunk.n_new);
    fitting([&] { cache_.append(chunk.k, chunk.v, chunk.n_new); },
            [&](const mistakes::Decisions& decisions) { return replay(decisions); });
    write_expected(keys_, chunk.k, lengths_, chunk.n_new);
    write_expected(values_, chunk.v, lengths_, chunk.n_new);
    for (std::size_t b = 0; b < lengths_.size(); ++b) {
        lengths_[b] += chunk.n_new[b];
    }
    expect_state();
}

void CheckedCache::reset() {
    calls_.emplace_back(std::nullopt);
    cache_.reset();
    lengths_.assign(lengths_.size(), 0);
    expect_shapes();
    expect_lengths();
    // What the slots hold now is the cache's own affair: reset may clear them or leave them.
    start_ = mistakes::state_of(cache_);
    calls_.clear();
    keys_ = cache_.keys();
    values_ = cache_.values();
}

void CheckedCache::expect_shapes() const {
    if (cache_.keys().shape() != keys_.shape() || cache_.values().shape() != values_.shape()) {
        blame("cache_reallocated");
        FAIL() << "the buffers have other shapes now: keys " << shape_text(cache_.keys().shape()) << ", values "
               << shape_text(cache_.values().shape()) << "; they have to stay " << shape_text(keys_.shape());
    }
}

void CheckedCache::expect_lengths() const {
    ASSERT_ANSWER(as_array(cache_.lengths()), as_array(lengths_), [&](const mistakes::Decisions& decisions) {
        return as_array(replay(decisions).lengths);
    }) << "the lengths";
}

void CheckedCache::expect_state() const {
    expect_shapes();
    expect_lengths();
    if (::testing::Test::HasFailure()) {
        return;
    }
    ASSERT_ANSWER(cache_.keys(), keys_, [&](const mistakes::Decisions& decisions) { return replay(decisions).keys; });
    ASSERT_ANSWER(cache_.values(), values_,
                  [&](const mistakes::Decisions& decisions) { return replay(decisions).values; });
    ASSERT_TRUE(cache_.keys() == keys_ && cache_.values() == values_) << "tokens have to be stored as they are";
}

mistakes::CacheState CheckedCache::replay(const mistakes::Decisions& decisions) const {
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

void expect_buffers_after(const std::vector<Chunk>& chunks) {
    CheckedCache cache;
    for (const Chunk& chunk : chunks) {
        cache.append(chunk);
        if (::testing::Test::HasFailure()) {
            return;
        }
    }
}

void expect_in_place(const KVCache& cache, const Scalar* keys, const Scalar* values) {
    if (cache.keys().data() != keys || cache.values().data() != values) {
        blame("cache_reallocated");
        ADD_FAILURE() << "the buffer of " << (cache.keys().data() != keys ? "keys" : "values")
                      << " is another one now: the cache has to be written in place";
    }
}

}  // namespace workbook::grading
