#include "tests/support/group_call.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/long_extent.hpp"

namespace workbook::grading {

using reference::to_double;

reference::Array<4> GroupCall::expected(const Positions& positions) const {
    return reference::attend(to_double(q), to_double(k), to_double(v), positions);
}

reference::Array<4> GroupCall::model(const Positions& positions, const mistakes::Decisions& decisions,
                                     bool streaming) const {
    const mistakes::KeyRows rows{to_double(k), to_double(v), lengths, 0, streaming};
    return mistakes::attend(to_double(q), rows, positions, decisions);
}

GroupCall random_call(std::size_t n_heads, std::size_t n_kv_heads, std::size_t q_len, std::size_t kv_len, unsigned seed,
                      std::size_t head_dim, std::size_t batch) {
    return {random_tensor<4>({batch, n_heads, q_len, head_dim}, seed),
            random_tensor<4>({batch, n_kv_heads, kv_len, head_dim}, seed + 1),
            random_tensor<4>({batch, n_kv_heads, kv_len, head_dim}, seed + 2), Lengths(batch, kv_len)};
}

void check_long_calls(unsigned seed, const std::function<void(const GroupCall&, const Positions&)>& check) {
    for (const auto& [batch, n_kv_heads, group_size, q_len, kv_len, head_dim] : each_long<6>(
             {1, 1, 2, 2, 2, 2}, {many_threads, many_threads, many_threads, long_extent, long_extent, long_extent})) {
        const std::size_t n_heads = n_kv_heads * group_size;
        SCOPED_TRACE(shape_text(std::array{batch, n_heads, q_len, head_dim}) + ", Hkv = " + std::to_string(n_kv_heads) +
                     ", " + std::to_string(kv_len) + " keys");
        Positions positions({batch, q_len}, 0);
        xt::view(positions, xt::all(), q_len - 1) = static_cast<Position>(kv_len) - 1;
        check(random_call(n_heads, n_kv_heads, q_len, kv_len, seed, head_dim, batch), positions);
    }
}

}  // namespace workbook::grading
