#include "follow_ups/streaming/fast/query_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace workbook {

namespace {

constexpr std::size_t most_lanes = 16;
// Up to this many rows, a vector of scores belongs to one row, and keys are read just once.
constexpr std::size_t few_rows = 8;

std::size_t rounded_up(std::size_t n, std::size_t step) {
    return (n + step - 1) / step * step;
}

}  // namespace

QueryBlock::QueryBlock(std::size_t head_dim, const VectorCode& code)
    : code_(&code),
      head_dim_(head_dim),
      width_(rounded_up(head_dim, code_->lanes)),
      scale_(Scalar{1} / std::sqrt(static_cast<Scalar>(head_dim))),
      scores_(max_rows * keys_per_tile),
      padded_(width_ == head_dim ? 0 : keys_per_tile * width_) {
}

void QueryBlock::set_layout(std::size_t rows) {
    rows_ = rows;
    lanes_are_rows_ = rows > few_rows;
    row_stride_ = lanes_are_rows_ ? 1 : keys_per_tile;
    key_stride_ = lanes_are_rows_ ? max_rows : 1;
}

void QueryBlock::start(std::span<const Scalar* const> queries) {
    set_layout(queries.size());
    const std::size_t row_step = lanes_are_rows_ ? 1 : width_;
    const std::size_t column_step = lanes_are_rows_ ? max_rows : 1;
    queries_.assign((lanes_are_rows_ ? max_rows : rows_) * width_, Scalar{0});  // 0 beyond d and beyond the rows
    accumulator_.assign(rows_ * width_, Scalar{0});
    for (std::size_t r = 0; r < rows_; ++r) {
        for (std::size_t c = 0; c < head_dim_; ++c) {
            queries_[r * row_step + c * column_step] = queries[r][c];
        }
    }
}

// The tile with rows that fill whole vectors.
const Scalar* QueryBlock::padded(const Scalar* tile) {
    if (width_ == head_dim_) {
        return tile;
    }
    for (std::size_t j = 0; j < n_keys_; ++j) {
        std::copy_n(tile + j * head_dim_, head_dim_, padded_.data() + j * width_);
    }
    return padded_.data();
}

void QueryBlock::score(const Scalar* keys, std::size_t n_keys) {
    n_keys_ = n_keys;
    const Scalar* tile = padded(keys);
    if (lanes_are_rows_) {
        std::fill_n(scores_.begin(), n_keys * max_rows, Scalar{0});
        code_->add_product(n_keys, max_rows, width_, {tile, width_, 1}, queries_.data(), max_rows, scores_.data(),
                           max_rows);
        code_->scale(scores_.data(), n_keys * max_rows / code_->lanes, scale_);
    } else {
        code_->dots(rows_, n_keys, width_, queries_.data(), tile, scores_.data(), keys_per_tile);
        const std::size_t whole = rounded_up(n_keys, code_->lanes);
        for (std::size_t r = 0; r < rows_; ++r) {
            code_->scale(&at(r, 0), whole / code_->lanes, scale_);
            // What is left of the last vector must not count.
            std::fill(&at(r, n_keys), &at(r, whole), -std::numeric_limits<Scalar>::infinity());
        }
    }
}

QueryBlock::PerRow QueryBlock::highest() const {
    PerRow maxima{};
    if (lanes_are_rows_) {
        for (std::size_t r = 0; r < max_rows; r += code_->lanes) {
            code_->highest(&scores_[r], n_keys_, max_rows, &maxima[r]);
        }
        return maxima;
    }
    std::array<Scalar, most_lanes> of_lanes{};
    const std::size_t vectors = rounded_up(n_keys_, code_->lanes) / code_->lanes;
    for (std::size_t r = 0; r < rows_; ++r) {
        code_->highest(&scores_[r * row_stride_], vectors, code_->lanes, of_lanes.data());
        maxima[r] = *std::max_element(of_lanes.data(), of_lanes.data() + code_->lanes);
    }
    return maxima;
}

QueryBlock::PerRow QueryBlock::weigh(const PerRow& shift) {
    PerRow sums{};
    if (lanes_are_rows_) {
        for (std::size_t r = 0; r < max_rows; r += code_->lanes) {
            code_->weigh(&scores_[r], n_keys_, max_rows, &shift[r], &sums[r]);
        }
        return sums;
    }
    std::array<Scalar, most_lanes> shifts{};
    std::array<Scalar, most_lanes> of_lanes{};
    const std::size_t vectors = rounded_up(n_keys_, code_->lanes) / code_->lanes;
    for (std::size_t r = 0; r < rows_; ++r) {
        shifts.fill(shift[r]);
        code_->weigh(&scores_[r * row_stride_], vectors, code_->lanes, shifts.data(), of_lanes.data());
        sums[r] = std::accumulate(of_lanes.data(), of_lanes.data() + code_->lanes, Scalar{0});
    }
    return sums;
}

void QueryBlock::scale(const PerRow& factors) {
    for (std::size_t r = 0; r < rows_; ++r) {
        if (factors[r] != Scalar{1}) {
            code_->scale(&accumulator_[r * width_], width_ / code_->lanes, factors[r]);
        }
    }
}

void QueryBlock::mix(const Scalar* values) {
    code_->add_product(rows_, width_, n_keys_, {scores_.data(), row_stride_, key_stride_}, padded(values), width_,
                       accumulator_.data(), width_);
}

void QueryBlock::copy_to(std::span<Scalar* const> out) const {
    for (std::size_t r = 0; r < rows_; ++r) {
        std::copy_n(accumulator_.data() + r * width_, head_dim_, out[r]);
    }
}

}  // namespace workbook
