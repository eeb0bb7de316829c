/// @file
/// Ragged sequences, fed to a layer in chunks and compared with the oracle row by row.
#pragma once

#include <functional>
#include <vector>

#include "reference/oracle.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {

/// Rows of different final lengths with the outputs that the oracle gives for them, and how much of each was fed.
class RaggedRows {
public:
    /// A call of a layer on top of a cache.
    using Forward =
        std::function<Tensor<3>(const Attention& layer, const Tensor<3>& x, KVCache& cache, const Lengths& n_new)>;

    /// @param cache          the cache that all calls go to
    /// @param final_lengths  [B]
    /// @param streaming      a follow-up's forward in the place of the layer's own, which goes over keys in tiles
    RaggedRows(const Attention& layer, const KVCache& cache, const Lengths& final_lengths, unsigned seed,
               const Forward& streaming = {});

    /// Calls forward(x, cache, n_new) with the next `n_new[b]` tokens of each row in `slots` slots; padding slots hold
    /// `padding`. Compares every row: outputs of real tokens with the oracle, padded slots with zeros, the row's
    /// length.
    void feed(KVCache& cache, const Lengths& n_new, std::size_t slots, Scalar padding = 50);

    /// Tokens of row b that were not fed yet.
    [[nodiscard]] std::size_t remaining(std::size_t row) const;

    /// Rows compared so far: one for each row of each call.
    [[nodiscard]] std::size_t comparisons() const { return comparisons_; }

private:
    [[nodiscard]] Tensor<3> next_input(const Lengths& n_new, std::size_t slots, Scalar padding) const;
    [[nodiscard]] reference::Array<3> next_output(const Lengths& n_new, std::size_t slots) const;

    const Attention& layer_;
    Forward forward_;
    std::vector<Tensor<3>> x_;                   // per row, [1, final length, D]
    std::vector<reference::Array<3>> expected_;  // per row, [1, final length, D]
    CachedCalls calls_;
    Lengths fed_;
    std::size_t comparisons_ = 0;
};

}  // namespace workbook::grading
