#include "part1_mha/tensor.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <xtensor-blas/xlinalg.hpp>

namespace workbook {

namespace {

void expect_same_inner(std::string_view function, std::span<const std::size_t> a, std::span<const std::size_t> b,
                       bool inner_extents_agree) {
    if (!inner_extents_agree) {
        throw std::invalid_argument(std::string(function) + ": the inner extents of " + shape_text(a) + " and " +
                                    shape_text(b) + " differ");
    }
}

bool any_is_zero(std::size_t m, std::size_t n, std::size_t k) {
    return m == 0 || n == 0 || k == 0;
}

}  // namespace

ConstMatrix view_matrix(const Scalar* data, std::size_t rows, std::size_t cols) {
    using Buffer = ConstMatrix::storage_type;
    return ConstMatrix(Buffer(data, rows * cols), std::array<std::size_t, 2>{rows, cols});
}

ConstMatrix view_matrix(const Matrix& matrix) {
    return view_matrix(matrix.data(), matrix.shape(0), matrix.shape(1));
}

ConstMatrix view_heads(const Tensor<4>& heads, std::size_t row, std::size_t first, std::size_t count) {
    const std::size_t n_heads = heads.shape(1);
    const std::size_t tokens = heads.shape(2);
    const std::size_t head_dim = heads.shape(3);
    if (row >= heads.shape(0) || first > n_heads || count > n_heads - first) {
        throw std::out_of_range("view_heads: row " + std::to_string(row) + ", heads " + std::to_string(first) + " to " +
                                std::to_string(first + count) + " (exclusive) asked of a tensor of shape " +
                                shape_text(heads.shape()));
    }
    return view_matrix(heads.data() + (row * n_heads + first) * tokens * head_dim, count * tokens, head_dim);
}

Matrix matmul(const MatrixOperand& a, const MatrixOperand& b) {
    const ConstMatrix& left = a.view();
    const ConstMatrix& right = b.view();
    expect_same_inner("matmul", left.shape(), right.shape(), left.shape(1) == right.shape(0));
    // BLAS refuses a leading dimension of zero, so an empty product never gets there.
    if (any_is_zero(left.shape(0), right.shape(1), left.shape(1))) {
        return xt::zeros<Scalar>({left.shape(0), right.shape(1)});
    }
    return xt::linalg::dot(left, right);
}

Matrix matmul_transposed(const MatrixOperand& a, const MatrixOperand& b) {
    const ConstMatrix& left = a.view();
    const ConstMatrix& right = b.view();
    expect_same_inner("matmul_transposed", left.shape(), right.shape(), left.shape(1) == right.shape(1));
    if (any_is_zero(left.shape(0), right.shape(0), left.shape(1))) {
        return xt::zeros<Scalar>({left.shape(0), right.shape(0)});
    }
    return xt::linalg::dot(left, xt::transpose(right));
}

Tensor<3> linear(const Tensor<3>& x, const Matrix& w) {
    const std::size_t batch = x.shape(0);
    const std::size_t tokens = x.shape(1);
    expect_same_inner("linear", x.shape(), w.shape(), x.shape(2) == w.shape(0));
    // The weights are the same for every token, so the batch is one tall matrix.
    const Matrix product = matmul(view_matrix(x.data(), batch * tokens, x.shape(2)), w);  // [B·T, n]
    Tensor<3> y({batch, tokens, w.shape(1)});
    std::copy(product.begin(), product.end(), y.begin());
    return y;
}

std::string shape_text(std::span<const std::size_t> shape) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        text += axis == 0 ? "" : ", ";
        text += shape[axis] == any_extent ? "*" : std::to_string(shape[axis]);
    }
    return text + "]";
}

void expect_count(std::string_view function, std::string_view argument, std::size_t count, std::size_t expected) {
    if (count != expected) {
        throw std::invalid_argument(std::string(function) + ": " + std::string(argument) + " has " +
                                    std::to_string(count) + " elements, expected " + std::to_string(expected));
    }
}

void expect_shape(std::string_view function, std::string_view argument, std::span<const std::size_t> shape,
                  std::initializer_list<std::size_t> expected) {
    const auto fits = [](std::size_t actual, std::size_t wanted) { return wanted == any_extent || actual == wanted; };
    if (!std::ranges::equal(shape, expected, fits)) {
        throw std::invalid_argument(std::string(function) + ": " + std::string(argument) + " has shape " +
                                    shape_text(shape) + ", expected " +
                                    shape_text({expected.begin(), expected.size()}));
    }
}

}  // namespace workbook
