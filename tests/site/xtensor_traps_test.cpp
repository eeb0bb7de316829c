// Compiles every line of C++ in docs/xtensor-traps.md, and runs it. What reads or writes outside a tensor is compiled,
// but never called.
//
// The page shows exactly the lines between pairs of equal comment lines, such as the first two. snippets_test.cpp reads
// both files and says where they differ.
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <xtensor-blas/xlinalg.hpp>

#include "part1_mha/tensor.hpp"
#include "tests/site/counting.hpp"

namespace workbook {
namespace {

template <class Error, class Call>
bool throws(const Call& call) {
    try {
        call();
    } catch (const Error&) {
        return true;
    }
    return false;
}

[[maybe_unused]] Matrix exponentials_read_out_of_bounds(const Matrix& scores) {
    // [lazy-reduction-wrong]
    Matrix weights = xt::exp(scores - xt::amax(scores, {1}, xt::keep_dims));
    // [lazy-reduction-wrong]
    return weights;
}

TEST(NumpyToXtensorTraps, AReductionIsNamedBeforeItIsUsed) {
    const Matrix scores{{1, 2}, {30, 4}};
    // [lazy-reduction]
    Tensor<1> highest = xt::amax(scores, {1});
    Matrix shifted = scores - xt::view(highest, xt::all(), xt::newaxis());
    // [lazy-reduction]
    EXPECT_EQ(shifted, (Matrix{{-1, 0}, {0, -26}}));
    // [lazy-reduction-keep-dims]
    Matrix column = xt::amax(scores, {1}, xt::keep_dims);  // [R, 1]
    Matrix also_shifted = scores - column;
    // [lazy-reduction-keep-dims]
    EXPECT_EQ(also_shifted, shifted);
}

[[maybe_unused]] void write_past_the_end(Matrix& buffer, const Matrix& two_rows) {
    // [clamped-range-wrong]
    xt::view(buffer, xt::range(7, 9), xt::all()) = two_rows;
    // [clamped-range-wrong]
}

TEST(NumpyToXtensorTraps, ARangePastTheEndIsClamped) {
    Matrix buffer = xt::zeros<Scalar>({8, 2});
    const auto view = xt::view(buffer, xt::range(6, 10), xt::all());
    EXPECT_EQ(view.shape(0), 2U);

    const Matrix two_rows = xt::ones<Scalar>({2, 2});
    const auto write_at = [&](std::size_t begin) {
        // [clamped-range]
        const std::size_t end = begin + two_rows.shape(0);
        if (end > buffer.shape(0)) {
            throw std::length_error("the rows do not fit");
        }
        xt::view(buffer, xt::range(begin, end), xt::all()) = two_rows;
        // [clamped-range]
    };
    EXPECT_TRUE(throws<std::length_error>([&] { write_at(7); }));
    EXPECT_FALSE(throws<std::length_error>([&] { write_at(6); }));
}

TEST(NumpyToXtensorTraps, AssignmentToAViewBroadcasts) {
    Matrix buffer = xt::zeros<Scalar>({3, 2});
    const Matrix rows{{1, 2}};
    // [broadcasting-assignment-wrong]
    xt::view(buffer, xt::range(0, 3), xt::all()) = rows;
    // [broadcasting-assignment-wrong]
    EXPECT_EQ(buffer, (Matrix{{1, 2}, {1, 2}, {1, 2}}));

    const auto write = [&] {
        // [broadcasting-assignment]
        expect_shape("write", "rows", rows.shape(), {3, 2});
        xt::view(buffer, xt::range(0, 3), xt::all()) = rows;
        // [broadcasting-assignment]
    };
    EXPECT_TRUE(throws<std::invalid_argument>(write));
}

TEST(NumpyToXtensorTraps, TransposeWithoutAPermutationReversesAllAxes) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    const auto reversed = [&] {
        // [transpose-all-wrong]
        Tensor<3> y = xt::transpose(x);
        // [transpose-all-wrong]
        return y;
    };
    // [transpose-all]
    Tensor<3> y = xt::transpose(x, {0, 2, 1});
    // [transpose-all]
    EXPECT_EQ(shape_of(reversed()), (Shape{4, 3, 2}));
    EXPECT_EQ(shape_of(y), (Shape{2, 4, 3}));
}

TEST(NumpyToXtensorTraps, AutoKeepsAView) {
    Matrix buffer = xt::zeros<Scalar>({2, 2});
    const auto old_row = [&] {
        // [auto-view-wrong]
        auto before = xt::view(buffer, 0);
        buffer(0, 0) = 7;
        // [auto-view-wrong]
        return before(0);
    };
    EXPECT_EQ(old_row(), 7);

    buffer.fill(0);
    // [auto-view]
    Tensor<1> before = xt::view(buffer, 0);
    buffer(0, 0) = 7;
    // [auto-view]
    EXPECT_EQ(before(0), 0);
}

namespace wrong {
[[maybe_unused]]
// [auto-return-wrong]
auto doubled(const Matrix& x) {
    const Matrix twice = x + x;
    return xt::transpose(twice);
}
// [auto-return-wrong]
}  // namespace wrong

// [auto-return]
Matrix doubled(const Matrix& x) {
    const Matrix twice = x + x;
    return xt::transpose(twice);
}
// [auto-return]

TEST(NumpyToXtensorTraps, AFunctionReturnsATensorAndNotAuto) {
    EXPECT_EQ(doubled({{1, 2}, {3, 4}}), (Matrix{{2, 6}, {4, 8}}));
}

TEST(NumpyToXtensorTraps, MissingIndicesAreTakenFromTheLeft) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    // [too-few-indices-wrong]
    Scalar value = x(1, 2);
    // [too-few-indices-wrong]
    EXPECT_EQ(value, x(0, 1, 2));
    // [too-few-indices]
    Scalar first = x(1, 2, 0);
    Tensor<1> row = xt::view(x, 1, 2);
    // [too-few-indices]
    EXPECT_EQ(first, 20);
    EXPECT_EQ(row, (Tensor<1>{20, 21, 22, 23}));
}

TEST(NumpyToXtensorTraps, DotAboveTwoAxesIsNotBatched) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    const Tensor<3> y = counting<3>({2, 4, 5});
    const auto shape_of_dot = [&] {
        // [batched-dot-wrong]
        Tensor<4> products = xt::linalg::dot(x, y);
        // [batched-dot-wrong]
        return shape_of(products);
    };
    EXPECT_EQ(shape_of_dot(), (Shape{2, 3, 2, 5}));
    // [batched-dot]
    Tensor<3> products({x.shape(0), x.shape(1), y.shape(2)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        const Matrix left = xt::view(x, b);
        const Matrix right = xt::view(y, b);
        xt::view(products, b) = matmul(left, right);
    }
    // [batched-dot]
    EXPECT_EQ(products(1, 2, 4), 20 * 24 + 21 * 29 + 22 * 34 + 23 * 39);
}

TEST(NumpyToXtensorTraps, BracesMeanAShapeOrData) {
    // [braces-wrong]
    xt::xarray<double> a({2, 3});  // the elements 2 and 3
    Tensor<1> b({3});              // one element, 3
    // [braces-wrong]
    EXPECT_EQ(a, (xt::xarray<double>{2, 3}));
    EXPECT_EQ(b, (Tensor<1>{3}));
    // [braces]
    xt::xtensor<double, 2> c({2, 3});      // shape [2, 3]
    Tensor<1> d = xt::zeros<Scalar>({3});  // shape [3]
    // [braces]
    EXPECT_EQ(shape_of(c), (Shape{2, 3}));
    EXPECT_EQ(shape_of(d), (Shape{3}));
}

TEST(NumpyToXtensorTraps, ANamedRangeIsNotConst) {
    const Matrix x = counting<2>({4, 2});
    // [named-range]
    auto rows = xt::range(1, 3);
    Matrix middle = xt::view(x, rows, xt::all());
    // [named-range]
    EXPECT_EQ(middle, (Matrix{{2, 3}, {4, 5}}));
}

// [copying-parameter-wrong]
const Scalar* first_element(const Matrix& x) {
    return x.data();
}
// [copying-parameter-wrong]

// [copying-parameter]
const Scalar* first_element_in_place(const ConstMatrix& x) {
    return x.data();
}
// [copying-parameter]

TEST(NumpyToXtensorTraps, AMatrixParameterCopiesAView) {
    const Matrix x = counting<2>({4, 2});
    EXPECT_EQ(first_element(x), x.data());
    EXPECT_NE(first_element(view_matrix(x)), x.data());
    EXPECT_NE(first_element(xt::view(x, xt::range(0, 2))), x.data());
    EXPECT_EQ(first_element_in_place(view_matrix(x)), x.data());
}

TEST(NumpyToXtensorTraps, AReductionAlignsWithTheLastAxis) {
    const Matrix x{{1, 2}, {30, 4}};
    const Tensor<1> highest = xt::amax(x, {1});
    const auto misaligned = [&] {
        // [aligned-reduction-wrong]
        Matrix shifted = x - highest;
        // [aligned-reduction-wrong]
        return shifted;
    };
    EXPECT_EQ(misaligned(), (Matrix{{-1, -28}, {28, -26}}));
    // [aligned-reduction]
    Matrix shifted = x - xt::view(highest, xt::all(), xt::newaxis());
    // [aligned-reduction]
    EXPECT_EQ(shifted, (Matrix{{-1, 0}, {0, -26}}));
}

TEST(NumpyToXtensorTraps, ViewAssignmentMakesATemporaryUnlessNoalias) {
    Matrix buffer = xt::zeros<Scalar>({4, 2});
    const Matrix rows = xt::ones<Scalar>({2, 2});
    // [temporary-wrong]
    xt::view(buffer, xt::range(0, 2), xt::all()) = rows;
    // [temporary-wrong]
    // [temporary]
    xt::noalias(xt::view(buffer, xt::range(2, 4), xt::all())) = rows;
    // [temporary]
    EXPECT_EQ(buffer, (xt::ones<Scalar>({4, 2})));

    Tensor<1> shifted{1, 2, 3, 4};
    xt::view(shifted, xt::range(1, 4)) = xt::view(shifted, xt::range(0, 3));
    EXPECT_EQ(shifted, (Tensor<1>{1, 1, 2, 3}));
}

}  // namespace
}  // namespace workbook
