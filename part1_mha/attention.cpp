// Given code of the layer: validation, rotary positions, and the choice between the ways to attend.
#include "part1_mha/attention.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace workbook {

namespace {

std::string in_config(const AttentionConfig& config) {
    return " (d_model " + std::to_string(config.d_model) + ", n_heads " + std::to_string(config.n_heads) +
           ", n_kv_heads " + std::to_string(config.n_kv_heads) + ")";
}

void require(bool holds, const std::string& what, const AttentionConfig& config) {
    if (!holds) {
        throw std::invalid_argument("Attention: " + what + in_config(config));
    }
}

void validate(const AttentionConfig& config) {
    require(config.d_model > 0, "d_model must be at least 1", config);
    require(config.n_heads > 0, "n_heads must be at least 1", config);
    require(config.n_kv_heads > 0, "n_kv_heads must be at least 1", config);
    require(config.d_model % config.n_heads == 0, "n_heads must divide d_model", config);
    require(config.n_heads % config.n_kv_heads == 0, "n_kv_heads must divide n_heads", config);
    if (config.rope_base) {
        require(std::isfinite(*config.rope_base) && *config.rope_base > 0,
                "rope_base must be positive and finite, not " + std::to_string(*config.rope_base), config);
        require(config.head_dim() % 2 == 0, "rotary positions need an even head_dim", config);
    }
}

void validate(const AttentionConfig& config, const AttentionWeights& weights) {
    const std::size_t d_model = config.d_model;
    const std::size_t kv_width = config.n_kv_heads * config.head_dim();
    expect_shape("Attention", "wq", weights.wq.shape(), {d_model, d_model});
    expect_shape("Attention", "wk", weights.wk.shape(), {d_model, kv_width});
    expect_shape("Attention", "wv", weights.wv.shape(), {d_model, kv_width});
    expect_shape("Attention", "wo", weights.wo.shape(), {d_model, d_model});
}

// Turns the pairs (2i, 2i+1) of one head's row, which sits at `position`.
void rotate_row(Scalar* row, std::size_t head_dim, Position position, double base) {
    for (std::size_t i = 0; i < head_dim; i += 2) {
        const double angle =
            static_cast<double>(position) * std::pow(base, -static_cast<double>(i) / static_cast<double>(head_dim));
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const auto first = static_cast<double>(row[i]);
        const auto second = static_cast<double>(row[i + 1]);
        row[i] = static_cast<Scalar>(first * c - second * s);
        row[i + 1] = static_cast<Scalar>(first * s + second * c);
    }
}

}  // namespace

std::span<const Position> positions_of_row(const Positions& positions, std::size_t row) {
    if (row >= positions.shape(0)) {
        throw std::out_of_range("positions_of_row: row " + std::to_string(row) + " asked of positions of shape " +
                                shape_text(positions.shape()));
    }
    return {positions.data() + row * positions.shape(1), positions.shape(1)};
}

KeyValues::KeyValues(const Tensor<4>& k, const Tensor<4>& v) : KeyValues(k, v, Lengths(k.shape(0), k.shape(2))) {
}

KeyValues::KeyValues(const Tensor<4>& k, const Tensor<4>& v, Lengths lengths)
    : keys_(k.data()),
      values_(v.data()),
      n_kv_heads_(k.shape(1)),
      head_dim_(k.shape(3)),
      rows_per_head_(k.shape(2)),
      lengths_(std::move(lengths)) {
    expect_shape("KeyValues", "v", v.shape(), {k.shape(0), k.shape(1), k.shape(2), k.shape(3)});
    expect_count("KeyValues", "lengths", lengths_.size(), k.shape(0));
    for (const std::size_t length : lengths_) {
        if (length > rows_per_head_) {
            throw std::invalid_argument("KeyValues: a length of " + std::to_string(length) + " exceeds the " +
                                        std::to_string(rows_per_head_) + " rows of k");
        }
    }
}

ConstMatrix KeyValues::keys(std::size_t row, std::size_t kv_head) const {
    return live_rows(keys_, row, kv_head);
}

ConstMatrix KeyValues::values(std::size_t row, std::size_t kv_head) const {
    return live_rows(values_, row, kv_head);
}

ConstMatrix KeyValues::live_rows(const Scalar* data, std::size_t row, std::size_t kv_head) const {
    if (row >= batch() || kv_head >= n_kv_heads_) {
        throw std::out_of_range("KeyValues: row " + std::to_string(row) + ", key/value head " +
                                std::to_string(kv_head) + " asked; there are " + std::to_string(batch()) +
                                " rows with " + std::to_string(n_kv_heads_) + " heads");
    }
    const std::size_t block = row * n_kv_heads_ + kv_head;
    return view_matrix(data + block * rows_per_head_ * head_dim_, lengths_[row], head_dim_);
}

void expect_groups(std::string_view function, std::size_t n_heads, std::size_t n_kv_heads) {
    if (n_kv_heads == 0 || n_heads % n_kv_heads != 0) {
        throw std::invalid_argument(std::string(function) + ": " + std::to_string(n_kv_heads) +
                                    " key/value heads cannot share " + std::to_string(n_heads) + " query heads evenly");
    }
}

Attention::Attention(const AttentionConfig& config, AttentionWeights weights)
    : config_(config), weights_(std::move(weights)) {
    validate(config_);
    validate(config_, weights_);
}

Tensor<4> Attention::rotate(Tensor<4> heads, const Positions& positions) const {
    expect_shape("rotate", "positions", positions.shape(), {heads.shape(0), heads.shape(2)});
    if (!config_.rope_base) {
        return heads;
    }
    const std::size_t head_dim = config_.head_dim();
    expect_shape("rotate", "heads", heads.shape(), {any_extent, any_extent, any_extent, head_dim});
    Scalar* row = heads.data();
    for (std::size_t b = 0; b < heads.shape(0); ++b) {
        for (std::size_t h = 0; h < heads.shape(1); ++h) {
            for (const Position position : positions_of_row(positions, b)) {
                if (position != sees_nothing) {
                    rotate_row(row, head_dim, position, *config_.rope_base);
                }
                row += head_dim;
            }
        }
    }
    return heads;
}

Tensor<4> Attention::attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) const {
    return config_.group_size() == 1 ? attend_heads(q, kv, positions) : attend_groups(q, kv, positions);
}

}  // namespace workbook
