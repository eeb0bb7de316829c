/// @file
/// Chooses the token that comes next.
#pragma once

#include <random>
#include <span>

#include "app/story/model/vocabulary.hpp"
#include "app/story/telling/sampling.hpp"
#include "part1_mha/tensor.hpp"

namespace workbook::story {

/// Chooses tokens; the same seed and logits give the same tokens on every machine.
class Sampler {
public:
    explicit Sampler(const Sampling& sampling) : sampling_(sampling), generator_(sampling.seed) {}

    /// @param logits  [V], finite, V at least 1
    [[nodiscard]] TokenId next(std::span<const Scalar> logits);

private:
    Sampling sampling_;
    std::mt19937_64 generator_;
};

}  // namespace workbook::story
