// Streaming attention, one query head after the other.
#include "follow_ups/streaming/streaming.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook::streaming {

// Step streaming.1: attention over tiles of keys

namespace {

Matrix stream_head(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                   std::span<const Position> positions) {
    constexpr std::size_t tile = 64;
    const std::size_t rows = q.shape(0);
    const std::size_t head_dim = q.shape(1);
    const Position latest = rows == 0 ? sees_nothing : *std::ranges::max_element(positions);
    const std::size_t visible = std::min(k.shape(0), static_cast<std::size_t>(latest + 1));
    std::vector<Scalar> maximum(rows, std::numeric_limits<Scalar>::lowest());
    std::vector<Scalar> sum(rows, 0);
    Matrix context = xt::zeros<Scalar>({rows, head_dim});
    for (std::size_t first = 0; first < visible; first += tile) {
        const std::size_t n_keys = std::min(tile, visible - first);
        Matrix scores = matmul_transposed(q, view_matrix(k.data() + first * head_dim, n_keys, head_dim));  // [R, n]
        scores /= std::sqrt(static_cast<Scalar>(head_dim));
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t j = 0; j < n_keys; ++j) {
                if (static_cast<Position>(first + j) > positions[r]) {
                    scores(r, j) = -std::numeric_limits<Scalar>::infinity();
                }
            }
            const Scalar highest = xt::amax(xt::view(scores, r))();
            const Scalar raised = std::max(maximum[r], highest);
            const Scalar correction = std::exp(maximum[r] - raised);
            xt::view(scores, r) = xt::exp(xt::view(scores, r) - raised);
            sum[r] = sum[r] * correction + xt::sum(xt::view(scores, r))();
            xt::view(context, r) *= correction;
            maximum[r] = raised;
        }
        context += matmul(scores, view_matrix(v.data() + first * head_dim, n_keys, head_dim));  // [R, d]
    }
    for (std::size_t r = 0; r < rows; ++r) {
        xt::view(context, r) /= sum[r] > 0 ? sum[r] : 1;
    }
    return context;
}

}  // namespace

Tensor<4> attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    Tensor<4> out(q.shape());
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            const std::size_t g = kv_head_of(h, q.shape(1), kv.n_kv_heads());
            xt::view(out, b, h) =
                stream_head(view_heads(q, b, h), kv.keys(b, g), kv.values(b, g), positions_of_row(positions, b));
        }
    }
    return out;
}

}  // namespace workbook::streaming
