#include "tests/support/group_call.hpp"

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

}  // namespace workbook::grading
