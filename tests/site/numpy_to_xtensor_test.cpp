// Compiles and runs every line of C++ in docs/numpy-to-xtensor.md.
//
// A pair of equal comment lines, such as the two in the first test, marks a region; the page shows exactly the lines
// between them. snippets_test.cpp reads both files and says where they differ.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

#include "part1_mha/tensor.hpp"
#include "tests/site/counting.hpp"

namespace workbook {
namespace {

constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

TEST(NumpyToXtensor, MakesZerosOfAShape) {
    // [zeros]
    Matrix a = xt::zeros<Scalar>({2, 3});
    Tensor<4> out({2, 6, 5, 3});  // np.empty: not initialised
    // [zeros]
    EXPECT_EQ(a, (Matrix{{0, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(shape_of(out), (Shape{2, 6, 5, 3}));
}

TEST(NumpyToXtensor, ReadsAndWritesAnElement) {
    Tensor<3> x = counting<3>({2, 3, 4});
    // [element]
    Scalar value = x(1, 2, 3);
    x(1, 2, 3) = 7;
    std::size_t rows = x.shape(1);
    // [element]
    EXPECT_EQ(value, 23);
    EXPECT_EQ(x(1, 2, 3), 7);
    EXPECT_EQ(rows, 3U);
}

TEST(NumpyToXtensor, Reshapes) {
    Matrix x = counting<2>({6, 4});
    // [reshape]
    Tensor<3> y = xt::reshape_view(x, {2, 3, 4});  // a new tensor
    x.reshape({3, 8});                             // in place; the order of the elements stays
    // [reshape]
    EXPECT_EQ(y, counting<3>({2, 3, 4}));
    EXPECT_EQ(x, counting<2>({3, 8}));
}

TEST(NumpyToXtensor, TransposesWithAPermutation) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    // [transpose]
    Tensor<3> y = xt::transpose(x, {1, 0, 2});  // y(j, i, k) is x(i, j, k)
    // [transpose]
    EXPECT_EQ(shape_of(y), (Shape{3, 2, 4}));
    EXPECT_EQ(y(2, 1, 3), x(1, 2, 3));
}

TEST(NumpyToXtensor, SlicesOneHead) {
    const Tensor<4> a = counting<4>({2, 3, 4, 5});
    const std::size_t b = 1;
    const std::size_t h = 2;
    // [one-head]
    Matrix head = xt::view(a, b, h);         // a copy
    ConstMatrix same = view_heads(a, b, h);  // the workbook's own: no copy, read only
    // [one-head]
    EXPECT_EQ(shape_of(head), (Shape{4, 5}));
    EXPECT_EQ(head(3, 4), a(1, 2, 3, 4));
    EXPECT_EQ(head, same);
    EXPECT_EQ(same.data(), &a(1, 2, 0, 0));
}

TEST(NumpyToXtensor, SlicesARange) {
    const Tensor<3> x = counting<3>({2, 6, 4});
    const std::size_t begin = 2;
    const std::size_t end = 5;
    // [range]
    Tensor<3> tokens = xt::view(x, xt::all(), xt::range(begin, end));  // axes left out are taken whole
    // [range]
    EXPECT_EQ(shape_of(tokens), (Shape{2, 3, 4}));
    EXPECT_EQ(tokens(1, 2, 3), x(1, 4, 3));
}

TEST(NumpyToXtensor, AssignsIntoASlice) {
    Matrix a = xt::zeros<Scalar>({3, 4});
    const Matrix rows = xt::ones<Scalar>({2, 4});
    // [assign]
    xt::view(a, xt::range(1, 3), xt::all()) = rows;
    xt::view(a, 0, xt::range(2, 4)) = 5;
    // [assign]
    EXPECT_EQ(a, (Matrix{{0, 0, 5, 5}, {1, 1, 1, 1}, {1, 1, 1, 1}}));
}

TEST(NumpyToXtensor, BroadcastsOneNumberPerRow) {
    const Matrix x{{1, 2, 3}, {4, 5, 6}};
    const Tensor<1> r{10, 20};
    // [newaxis]
    Matrix y = x + xt::view(r, xt::all(), xt::newaxis());  // [R, S] + [R, 1]
    // [newaxis]
    EXPECT_EQ(y, (Matrix{{11, 12, 13}, {24, 25, 26}}));
}

TEST(NumpyToXtensor, ReducesAlongAnAxis) {
    const Matrix x{{1, 5, 3}, {4, 2, 6}};
    // [reduce]
    Tensor<1> highest = xt::amax(x, {1});  // [R]
    Tensor<1> total = xt::sum(x, {1});     // [R]
    Scalar all = xt::sum(x)();             // one number: mind the ()
    // [reduce]
    EXPECT_EQ(highest, (Tensor<1>{5, 6}));
    EXPECT_EQ(total, (Tensor<1>{9, 12}));
    EXPECT_EQ(all, 21);
}

TEST(NumpyToXtensor, TakesTheExponential) {
    const Matrix x{{0, 1}, {-infinity, -1}};
    // [exp]
    Matrix y = xt::exp(x);
    // [exp]
    EXPECT_TRUE(xt::allclose(y, Matrix{{1, std::exp(Scalar{1})}, {0, std::exp(Scalar{-1})}}));
    EXPECT_EQ(y(1, 0), 0);
}

TEST(NumpyToXtensor, ChoosesElementByElement) {
    const Tensor<1> x{3, -infinity, infinity};
    // [where]
    Tensor<1> y = xt::where(xt::isfinite(x), x, Scalar{0});
    // [where]
    EXPECT_EQ(y, (Tensor<1>{3, 0, 0}));
}

TEST(NumpyToXtensor, MultipliesMatrices) {
    const Matrix a{{1, 2}, {3, 4}};
    const Matrix b{{0, 1}, {2, 1}};
    const Tensor<3> x{{{1, 2}, {3, 4}}};
    const Matrix w{{1}, {10}};
    // [matmul]
    Matrix ab = matmul(a, b);
    Matrix abt = matmul_transposed(a, b);
    Tensor<3> xw = linear(x, w);  // x [B, T, k], w [k, n]
    // [matmul]
    EXPECT_EQ(ab, (Matrix{{4, 3}, {8, 7}}));
    EXPECT_EQ(abt, (Matrix{{2, 4}, {4, 10}}));
    EXPECT_EQ(xw, (Tensor<3>{{{21}, {43}}}));
}

TEST(NumpyToXtensor, CountsUp) {
    // [arange]
    Tensor<1> x = xt::arange<Scalar>(2, 5);  // 2, 3, 4
    // [arange]
    EXPECT_EQ(x, (Tensor<1>{2, 3, 4}));
}

TEST(NumpyToXtensor, BroadcastsToAShape) {
    const Tensor<1> r{7, 8, 9};
    // [broadcast]
    Matrix y = xt::broadcast(r, {2, 3});
    // [broadcast]
    EXPECT_EQ(y, (Matrix{{7, 8, 9}, {7, 8, 9}}));
}

TEST(NumpyToXtensor, ComparesWithATolerance) {
    const Matrix a{{1, 2}};
    const Matrix b{{1 + 10 * std::numeric_limits<Scalar>::epsilon(), 2}};
    const Matrix c{{1, 2}, {1, 2}};
    const Scalar tolerance = std::sqrt(std::numeric_limits<Scalar>::epsilon());
    // [allclose]
    bool close = a.shape() == b.shape() && xt::allclose(a, b, tolerance, tolerance);
    // [allclose]
    EXPECT_TRUE(close);
    EXPECT_TRUE(xt::allclose(a, c));  // broadcasts, so the shapes have to be compared first
    EXPECT_FALSE(xt::allclose(a, Matrix{{1, std::numeric_limits<Scalar>::quiet_NaN()}}));
}

}  // namespace
}  // namespace workbook
