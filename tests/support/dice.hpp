/// @file
/// Random extents for trials, the same on every run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace workbook::grading {

/// Draws numbers.
class Dice {
public:
    explicit Dice(unsigned seed) : generator_(seed) {}

    /// A number from `low` to `high`, both included.
    std::size_t roll(std::size_t low, std::size_t high) {
        return std::uniform_int_distribution<std::size_t>(low, high)(generator_);
    }

    /// A number from `low` to `high`, small ones as often as large ones: every power of two between them gets an equal
    /// share. Code that goes wrong beyond some extent is met whatever that extent is.
    std::size_t roll_wide(std::size_t low, std::size_t high) {
        std::size_t limit = low;
        std::size_t octaves = 0;
        while (limit < high) {
            limit = 2 * limit + 1;
            ++octaves;
        }
        std::size_t top = low;
        for (std::size_t i = roll(0, octaves); i > 0; --i) {
            top = 2 * top + 1;
        }
        return roll(low, top < high ? top : high);
    }

    /// One of the given numbers.
    template <std::size_t N>
    std::size_t pick(const std::array<std::size_t, N>& numbers) {
        return numbers.at(roll(0, N - 1));
    }

    /// A seed for tensors.
    unsigned seed() { return static_cast<unsigned>(generator_()); }

private:
    std::mt19937 generator_;
};

/// Some dozens of N numbers each, from 1 to some thousands, small ones as often as large ones: arguments of cost
/// formulas.
template <std::size_t N>
[[nodiscard]] std::vector<std::array<std::uint64_t, N>> random_numbers(unsigned seed) {
    Dice dice(seed);
    std::vector<std::array<std::uint64_t, N>> all(80);
    for (std::array<std::uint64_t, N>& numbers : all) {
        for (std::uint64_t& number : numbers) {
            number = dice.roll_wide(1, 4'000);
        }
    }
    return all;
}

}  // namespace workbook::grading
