#include "reference/concat_cache.hpp"

#include <algorithm>

#include "part1_mha/attention.hpp"

namespace workbook::reference {

namespace {

// [B, Hkv, S, d] and [B, Hkv, n, d] give [B, Hkv, S + n, d]: every old element is copied, and its bytes are counted
// then.
Tensor<4> concatenate(const Tensor<4>& old_rows, const Tensor<4>& new_rows, std::uint64_t& bytes_copied) {
    const std::size_t blocks = new_rows.shape(0) * new_rows.shape(1);
    const std::size_t old_size = old_rows.shape(2) * old_rows.shape(3);
    const std::size_t new_size = new_rows.shape(2) * new_rows.shape(3);
    Tensor<4> joined({new_rows.shape(0), new_rows.shape(1), old_rows.shape(2) + new_rows.shape(2), new_rows.shape(3)});
    Scalar* out = joined.data();
    for (std::size_t block = 0; block < blocks; ++block) {
        Scalar* const end_of_old = std::copy_n(old_rows.data() + block * old_size, old_size, out);
        bytes_copied += static_cast<std::uint64_t>(end_of_old - out) * sizeof(Scalar);
        out = end_of_old;
        out = std::copy_n(new_rows.data() + block * new_size, new_size, out);
    }
    return joined;
}

// [B, Hkv, S, d] to [B, Hkv·G, S, d], each head G times in a row.
Tensor<4> expand(const Tensor<4>& rows, std::size_t group_size) {
    const std::size_t blocks = rows.shape(0) * rows.shape(1);
    const std::size_t block_size = rows.shape(2) * rows.shape(3);
    Tensor<4> expanded({rows.shape(0), rows.shape(1) * group_size, rows.shape(2), rows.shape(3)});
    Scalar* out = expanded.data();
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t copy = 0; copy < group_size; ++copy) {
            out = std::copy_n(rows.data() + block * block_size, block_size, out);
        }
    }
    return expanded;
}

}  // namespace

ConcatStep concat_and_expand(const std::optional<CompactPair>& cache, const Tensor<4>& k, const Tensor<4>& v,
                             std::size_t n_heads) {
    expect_shape("concat_and_expand", "v", v.shape(), {k.shape(0), k.shape(1), k.shape(2), k.shape(3)});
    expect_groups("concat_and_expand", n_heads, k.shape(1));
    if (cache) {
        expect_shape("concat_and_expand", "cache.k", cache->k.shape(),
                     {k.shape(0), k.shape(1), any_extent, k.shape(3)});
        expect_shape("concat_and_expand", "cache.v", cache->v.shape(),
                     {k.shape(0), k.shape(1), cache->k.shape(2), k.shape(3)});
    }
    std::uint64_t bytes_copied = 0;
    CompactPair compact =
        cache ? CompactPair{concatenate(cache->k, k, bytes_copied), concatenate(cache->v, v, bytes_copied)}
              : CompactPair{k, v};
    const std::size_t group_size = n_heads / k.shape(1);
    ExpandedPair expanded{expand(compact.k, group_size), expand(compact.v, group_size)};
    return {std::move(compact), std::move(expanded), bytes_copied};
}

}  // namespace workbook::reference
