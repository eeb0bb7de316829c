/// @file
/// Given: the tensor types of the workbook, matrix products, and shape checks.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "part1_mha/scalar.hpp"
#include "part1_mha/xtensor_includes.hpp"

namespace workbook {

/// A tensor that owns its elements; row-major, N axes. `Tensor<3> x({2, 4, 6});` has that shape and is not initialised;
/// extents are std::size_t.
template <std::size_t N>
using Tensor = xt::xtensor<Scalar, N, xt::layout_type::row_major>;

/// A matrix that owns its elements.
using Matrix = Tensor<2>;

/// A read-only view of a contiguous row-major matrix that something else owns. It behaves like a Matrix in every
/// xtensor expression; the owner has to outlive it.
using ConstMatrix = xt::xtensor_adaptor<xt::xbuffer_adaptor<const Scalar*, xt::no_ownership, std::allocator<Scalar>>, 2,
                                        xt::layout_type::row_major>;

/// Views `rows · cols` elements that start at `data` as a [rows, cols] matrix, without a copy.
[[nodiscard]] ConstMatrix view_matrix(const Scalar* data, std::size_t rows, std::size_t cols);

/// Views a whole matrix, without a copy; it has to outlive the view, so it needs a name.
[[nodiscard]] ConstMatrix view_matrix(const Matrix& matrix);
ConstMatrix view_matrix(Matrix&& matrix) = delete;

/// Views heads `first` … `first + count - 1` of one batch row as one matrix, without a copy.
/// @param heads  [B, H, T, d]
/// @param row    0 … B-1
/// @param first  0 … H-1
/// @param count  at least 1
/// @return       [count·T, d]
/// @throws std::out_of_range when the row or one of the heads does not exist
[[nodiscard]] ConstMatrix view_heads(const Tensor<4>& heads, std::size_t row, std::size_t first, std::size_t count = 1);

/// An operand of matmul: a Matrix or a ConstMatrix, whichever you have.
class MatrixOperand {
public:
    // Implicit by design: it stands in a signature where either kind of matrix is welcome.
    MatrixOperand(const Matrix& matrix) : view_(view_matrix(matrix)) {}  // NOLINT(google-explicit-constructor)
    MatrixOperand(ConstMatrix matrix) : view_(std::move(matrix)) {}      // NOLINT(google-explicit-constructor)

    [[nodiscard]] const ConstMatrix& view() const { return view_; }

private:
    ConstMatrix view_;
};

/// a · b, NumPy's `a @ b`.
/// @param a  [m, k]
/// @param b  [k, n]
/// @return   [m, n]; zeros when k is 0
/// @throws std::invalid_argument when the inner extents differ
[[nodiscard]] Matrix matmul(const MatrixOperand& a, const MatrixOperand& b);

/// a · bᵀ, NumPy's `a @ b.T`.
/// @param a  [m, k]
/// @param b  [n, k]
/// @return   [m, n]; zeros when k is 0
/// @throws std::invalid_argument when the inner extents differ
[[nodiscard]] Matrix matmul_transposed(const MatrixOperand& a, const MatrixOperand& b);

/// x · w for every token of the batch, NumPy's `x @ w`: a linear layer without bias.
/// @param x  [B, T, k]
/// @param w  [k, n]
/// @return   [B, T, n]
/// @throws std::invalid_argument when the inner extents differ
[[nodiscard]] Tensor<3> linear(const Tensor<3>& x, const Matrix& w);

/// One number per row as a column, NumPy's `x[:, np.newaxis]`: in an expression with a matrix, it applies to every
/// column. No copy; `per_row` has to outlive the result.
/// @param per_row  [R]
/// @return         [R, 1]
[[nodiscard]] inline auto as_column(const Tensor<1>& per_row) {
    return xt::view(per_row, xt::all(), xt::newaxis());
}
auto as_column(Tensor<1>&& per_row) = delete;

/// Stands for "any extent" in an expected shape.
inline constexpr std::size_t any_extent = static_cast<std::size_t>(-1);

/// A shape as text: "[2, 5, 8]"; any_extent prints as "*".
[[nodiscard]] std::string shape_text(std::span<const std::size_t> shape);

/// Refuses a wrong shape, in the form `attend_head: k has shape [5, 8], expected [*, 4]`.
/// @throws std::invalid_argument
void expect_shape(std::string_view function, std::string_view argument, std::span<const std::size_t> shape,
                  std::initializer_list<std::size_t> expected);

/// Refuses a wrong number of elements: `append: n_new has 3 elements, expected 2`.
/// @throws std::invalid_argument
void expect_count(std::string_view function, std::string_view argument, std::size_t count, std::size_t expected);

}  // namespace workbook
