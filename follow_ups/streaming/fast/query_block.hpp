/// @file
/// The arithmetic of a streaming pass, as fast as the processor allows. It does no softmax of its own: the pass over
/// the keys, the running maximum and the running sum belong to attend_fast.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "follow_ups/streaming/fast/vector_code.hpp"
#include "part1_mha/scalar.hpp"

namespace workbook {

/// A block of query rows that goes through the keys and values of its head together, tile by tile. It holds the
/// queries, the scores of one tile and an accumulator, [rows, d]; none of them grows with the number of keys.
class QueryBlock {
public:
    static constexpr std::size_t max_rows = 32;        ///< query rows in a block
    static constexpr std::size_t keys_per_tile = 128;  ///< keys in a tile

    /// One number for each row of the block.
    using PerRow = std::array<Scalar, max_rows>;

    /// @param head_dim  d, at least 1
    /// @param code      by default that of the widest instruction set
    explicit QueryBlock(std::size_t head_dim, const VectorCode& code = vector_code());

    /// Starts over with other rows, and sets the accumulator to zero.
    /// @param queries  1 … max_rows rows of d numbers each, wherever they are
    void start(std::span<const Scalar* const> queries);

    /// Scores of a tile: s_rj = q_r · k_j / √d.
    /// @param keys    [n_keys, d]
    /// @param n_keys  1 … keys_per_tile
    void score(const Scalar* keys, std::size_t n_keys);

    /// The score of row r and the tile's key j, to read or to replace.
    [[nodiscard]] Scalar& at(std::size_t r, std::size_t j) { return scores_[r * row_stride_ + j * key_stride_]; }

    /// The highest score of each row in this tile.
    [[nodiscard]] PerRow highest() const;

    /// Scores become weights: s_rj becomes e^(s_rj - shift_r), a score of -infinity becomes 0.
    /// @return the sum of each row's weights
    PerRow weigh(const PerRow& shift);

    /// Multiplies each row of the accumulator by its own factor.
    void scale(const PerRow& factors);

    /// Adds the values of the tile, weighted: a_r += Σ_j s_rj · v_j.
    /// @param values  [n_keys, d]
    void mix(const Scalar* values);

    /// Writes each row of the accumulator to its place.
    /// @param out  one place for each row, of d numbers
    void copy_to(std::span<Scalar* const> out) const;

private:
    [[nodiscard]] const Scalar* padded(const Scalar* tile);
    void set_layout(std::size_t rows);

    const VectorCode* code_;
    std::size_t head_dim_;
    std::size_t width_;  // d, rounded up to whole vectors
    Scalar scale_;       // 1/√d
    std::size_t rows_ = 0;
    std::size_t n_keys_ = 0;
    bool lanes_are_rows_ = false;  // how scores lie in memory: neighbours are rows, or else keys
    std::size_t row_stride_ = 0;
    std::size_t key_stride_ = 0;
    std::vector<Scalar> queries_;      // [rows, width], or [width, max_rows] when lanes are rows
    std::vector<Scalar> scores_;       // [rows, keys_per_tile], or [keys_per_tile, max_rows]
    std::vector<Scalar> accumulator_;  // [rows, width]
    std::vector<Scalar> padded_;       // [keys_per_tile, width], only used when d does not fill whole vectors
};

}  // namespace workbook
