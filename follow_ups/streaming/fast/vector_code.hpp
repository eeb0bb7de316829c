/// @file
/// The vector code below QueryBlock: five small functions, compiled once for each instruction set.
#pragma once

#include <cstddef>

#include "follow_ups/streaming/fast/instruction_set.hpp"
#include "part1_mha/scalar.hpp"

namespace workbook {

/// The functions of one instruction set. A vector is `lanes` numbers; nothing has to be aligned.
struct VectorCode {
    std::size_t lanes;

    /// A matrix in memory: element (i, j) is data[i · row + j · column].
    struct Operand {
        const Scalar* data;
        std::size_t row;
        std::size_t column;
    };

    /// c [m, n] += a [m, k] · b [k, n]; rows of b and c are contiguous, n is a multiple of `lanes`.
    void (*add_product)(std::size_t m, std::size_t n, std::size_t k, Operand a, const Scalar* b, std::size_t b_row,
                        Scalar* c, std::size_t c_row);

    /// c [m, n] = a [m, k] · b [n, k]ᵀ; rows of a and b are contiguous, k is a multiple of `lanes`.
    void (*dots)(std::size_t m, std::size_t n, std::size_t k, const Scalar* a, const Scalar* b, Scalar* c,
                 std::size_t c_row);

    /// The lane-by-lane maximum of `count` vectors, at s, s + stride, …
    void (*highest)(const Scalar* s, std::size_t count, std::size_t stride, Scalar* maxima);

    /// Each vector s becomes e^(s - shift), lane by lane; `sums` gets the sum of the vectors.
    void (*weigh)(Scalar* s, std::size_t count, std::size_t stride, const Scalar* shift, Scalar* sums);

    /// Multiplies `count` contiguous vectors by a number.
    void (*scale)(Scalar* s, std::size_t count, Scalar factor);
};

/// The code for an instruction set, which this processor has to have.
[[nodiscard]] const VectorCode& vector_code(InstructionSet set = widest_instruction_set());

}  // namespace workbook
