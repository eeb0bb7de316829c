/// @file
/// Tensors to try the operations of xtensor on.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "part1_mha/tensor.hpp"

namespace workbook {

/// The extents of what has any number of axes.
using Shape = std::vector<std::size_t>;

/// 0, 1, 2, … in the given shape.
template <std::size_t N>
Tensor<N> counting(const std::array<std::size_t, N>& shape) {
    Tensor<N> x(shape);
    Scalar next = 0;
    for (Scalar& element : x) {
        element = next++;
    }
    return x;
}

/// The extents of a tensor, a view or an expression.
template <class Expression>
Shape shape_of(const Expression& expression) {
    return {expression.shape().begin(), expression.shape().end()};
}

}  // namespace workbook
