#include "part1_mha/guards.hpp"

namespace workbook {

void expect_attend_head_fits(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                             std::span<const Position> positions) {
    expect_shape("attend_head", "k", k.shape(), {any_extent, q.shape(1)});
    expect_shape("attend_head", "v", v.shape(), {k.shape(0), q.shape(1)});
    expect_count("attend_head", "positions", positions.size(), q.shape(0));
}

void expect_attend_heads_fits(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape("attend_heads", "q", q.shape(), {kv.batch(), kv.n_kv_heads(), any_extent, kv.head_dim()});
    expect_shape("attend_heads", "positions", positions.shape(), {q.shape(0), q.shape(2)});
}

void expect_groups_fit(std::string_view function, const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_shape(function, "q", q.shape(), {kv.batch(), any_extent, any_extent, kv.head_dim()});
    expect_shape(function, "positions", positions.shape(), {q.shape(0), q.shape(2)});
    expect_groups(function, q.shape(1), kv.n_kv_heads());
}

void expect_project_fits(const AttentionConfig& config, const Tensor<3>& x, const Positions& positions) {
    expect_shape("project", "x", x.shape(), {any_extent, any_extent, config.d_model});
    expect_shape("project", "positions", positions.shape(), {x.shape(0), x.shape(1)});
}

void expect_forward_fits(const AttentionConfig& config, const Tensor<3>& x) {
    expect_shape("forward", "x", x.shape(), {any_extent, any_extent, config.d_model});
}

}  // namespace workbook
