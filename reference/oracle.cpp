// B rows, T queries, S keys, D hidden width, H heads, d head width. Names carry their indices: q_bhtc is q at (b, h, t,
// c).
#include "reference/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook::reference {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// The textbook softmax, shifted by the maximum; zeros when nothing is above -infinity.
std::vector<double> softmax(const std::vector<double>& scores) {
    double highest = minus_infinity;
    for (const double score : scores) {
        highest = std::max(highest, score);
    }
    std::vector<double> weights(scores.size(), 0.0);
    if (highest == minus_infinity) {
        return weights;
    }
    double total = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        weights[j] = std::exp(scores[j] - highest);
        total += weights[j];
    }
    for (double& weight : weights) {
        weight /= total;
    }
    return weights;
}

// One query over keys 0 … position of a row and head whose keys and values are given in full.
void attend_query(const Array<4>& q, const Array<4>& k, const Array<4>& v, std::size_t b, std::size_t h, std::size_t t,
                  Position position, Array<4>& out) {
    const std::size_t head_dim = q.shape(3);
    const std::size_t visible = std::min(static_cast<std::size_t>(position + 1), k.shape(2));
    std::vector<double> scores(visible);
    for (std::size_t j = 0; j < visible; ++j) {
        double dot = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
            dot += q(b, h, t, c) * k(b, h, j, c);
        }
        scores[j] = dot / std::sqrt(static_cast<double>(head_dim));
    }
    const std::vector<double> weights = softmax(scores);
    for (std::size_t c = 0; c < head_dim; ++c) {
        double mixed = 0;
        for (std::size_t j = 0; j < visible; ++j) {
            mixed += weights[j] * v(b, h, j, c);
        }
        out(b, h, t, c) = mixed;
    }
}

}  // namespace

Array<2> softmax_rows(const Array<2>& scores) {
    Array<2> weights(scores.shape());
    for (std::size_t r = 0; r < scores.shape(0); ++r) {
        std::vector<double> row(scores.shape(1));
        for (std::size_t j = 0; j < row.size(); ++j) {
            row[j] = scores(r, j);
        }
        row = softmax(row);
        for (std::size_t j = 0; j < row.size(); ++j) {
            weights(r, j) = row[j];
        }
    }
    return weights;
}

Array<4> split_heads(const Array<3>& x, std::size_t heads) {
    const std::size_t head_dim = x.shape(2) / heads;
    Array<4> split({x.shape(0), heads, x.shape(1), head_dim});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t h = 0; h < heads; ++h) {
            for (std::size_t t = 0; t < x.shape(1); ++t) {
                for (std::size_t c = 0; c < head_dim; ++c) {
                    split(b, h, t, c) = x(b, t, h * head_dim + c);
                }
            }
        }
    }
    return split;
}

Array<3> merge_heads(const Array<4>& x) {
    const std::size_t head_dim = x.shape(3);
    Array<3> merged({x.shape(0), x.shape(2), x.shape(1) * head_dim});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t h = 0; h < x.shape(1); ++h) {
            for (std::size_t t = 0; t < x.shape(2); ++t) {
                for (std::size_t c = 0; c < head_dim; ++c) {
                    merged(b, t, h * head_dim + c) = x(b, h, t, c);
                }
            }
        }
    }
    return merged;
}

Array<4> repeat_heads(const Array<4>& x, std::size_t group_size) {
    Array<4> repeated({x.shape(0), x.shape(1) * group_size, x.shape(2), x.shape(3)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        std::size_t h = 0;
        for (std::size_t g = 0; g < x.shape(1); ++g) {
            for (std::size_t copy = 0; copy < group_size; ++copy, ++h) {
                for (std::size_t t = 0; t < x.shape(2); ++t) {
                    for (std::size_t c = 0; c < x.shape(3); ++c) {
                        repeated(b, h, t, c) = x(b, g, t, c);
                    }
                }
            }
        }
    }
    return repeated;
}

Array<4> attend(const Array<4>& q, const Array<4>& k, const Array<4>& v, const Positions& positions) {
    const std::size_t group_size = q.shape(1) / k.shape(1);
    const Array<4> k_bhsc = repeat_heads(k, group_size);
    const Array<4> v_bhsc = repeat_heads(v, group_size);
    Array<4> out(q.shape());
    for (std::size_t b = 0; b < q.shape(0); ++b) {
        for (std::size_t h = 0; h < q.shape(1); ++h) {
            for (std::size_t t = 0; t < q.shape(2); ++t) {
                attend_query(q, k_bhsc, v_bhsc, b, h, t, positions(b, t), out);
            }
        }
    }
    return out;
}

Array<4> rotate(Array<4> heads, const Positions& positions, std::optional<double> rope_base) {
    if (!rope_base) {
        return heads;
    }
    const std::size_t head_dim = heads.shape(3);
    for (std::size_t b = 0; b < heads.shape(0); ++b) {
        for (std::size_t h = 0; h < heads.shape(1); ++h) {
            for (std::size_t t = 0; t < heads.shape(2); ++t) {
                for (std::size_t pair = 0; pair < head_dim / 2; ++pair) {
                    const double frequency =
                        1.0 / std::pow(*rope_base, 2.0 * static_cast<double>(pair) / static_cast<double>(head_dim));
                    const double angle = static_cast<double>(std::max<Position>(positions(b, t), 0)) * frequency;
                    const double even = heads(b, h, t, 2 * pair);
                    const double odd = heads(b, h, t, 2 * pair + 1);
                    heads(b, h, t, 2 * pair) = even * std::cos(angle) - odd * std::sin(angle);
                    heads(b, h, t, 2 * pair + 1) = even * std::sin(angle) + odd * std::cos(angle);
                }
            }
        }
    }
    return heads;
}

Heads project(const AttentionConfig& config, const AttentionWeights& weights, const Array<3>& x,
              const Positions& positions) {
    return {rotate(split_heads(matmul(x, weights.wq), config.n_heads), positions, config.rope_base),
            rotate(split_heads(matmul(x, weights.wk), config.n_kv_heads), positions, config.rope_base),
            split_heads(matmul(x, weights.wv), config.n_kv_heads)};
}

Array<3> forward(const AttentionConfig& config, const AttentionWeights& weights, const Array<3>& x) {
    const Positions positions = positions_from_zero(x.shape(0), x.shape(1));
    const Heads heads = project(config, weights, x, positions);
    return matmul(merge_heads(attend(heads.q, heads.k, heads.v, positions)), weights.wo);
}

Array<3> matmul(const Array<3>& x, const Matrix& w) {
    Array<3> y({x.shape(0), x.shape(1), w.shape(1)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        for (std::size_t t = 0; t < x.shape(1); ++t) {
            for (std::size_t n = 0; n < w.shape(1); ++n) {
                double dot = 0;
                for (std::size_t c = 0; c < w.shape(0); ++c) {
                    dot += x(b, t, c) * static_cast<double>(w(c, n));
                }
                y(b, t, n) = dot;
            }
        }
    }
    return y;
}

Positions positions_from_zero(std::size_t batch, std::size_t q_len) {
    Positions positions({batch, q_len});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < q_len; ++t) {
            positions(b, t) = static_cast<Position>(t);
        }
    }
    return positions;
}

}  // namespace workbook::reference
