// Step 1.2: softmax_rows.
#include <cmath>
#include <limits>

#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/graded.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {
namespace {

using reference::Array;
using reference::to_double;

constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();

void expect_softmax(const Matrix& scores, const Array<2>& expected) {
    EXPECT_ANSWER(softmax_rows(scores), expected, [&](const mistakes::Decisions& decisions) {
        return mistakes::softmax_rows(to_double(scores), decisions);
    });
}

void expect_softmax(const Matrix& scores) {
    expect_softmax(scores, reference::softmax_rows(to_double(scores)));
}

GRADED_TEST(SoftmaxRows, MatchesTheFormula, "1.2", hire, 4) {
    for (const unsigned seed : {1201U, 1203U}) {  // two calls: nothing may be left over from the first
        const Matrix scores = random_tensor<2>({3, 5}, seed);
        expect_softmax(scores);
    }
    const Matrix many = random_tensor<2>({7, 150}, 1204, 3.0);
    expect_softmax(many);
}

GRADED_TEST(SoftmaxRows, NormalisesRowsAndNotColumns, "1.2", hire, 2) {
    // Square, so that a reduction along the wrong axis does not show in the shape.
    const Matrix scores = random_tensor<2>({4, 4}, 1202);
    expect_softmax(scores);
}

GRADED_TEST(SoftmaxRows, TreatsEachRowByItself, "1.2", hire, 3) {
    // Rows of very different size. A lazy reduction used inside a larger expression gives wrong numbers here.
    const Matrix scores{{1, 2}, {30, 4}, {-20, -21}};
    expect_softmax(scores);
}

GRADED_TEST(SoftmaxRows, GivesNoWeightToMinusInfinity, "1.2", hire, 3) {
    const Matrix scores{{0, minus_infinity, 1}, {minus_infinity, 2, minus_infinity}};
    expect_softmax(scores);
}

GRADED_TEST(SoftmaxRows, StaysFiniteForScoresInTheThousands, "1.2", strong_hire, 3) {
    const Matrix scores{{1000, 1000},  {0, minus_infinity}, {-4000, -4001},
                        {3000, -3000}, {-3000, 3000},       {-20000, -20000}};
    const Array<2> expected{{0.5, 0.5}, {1, 0}, {1 / (1 + std::exp(-1.0)), 1 / (1 + std::exp(1.0))},
                            {1, 0},     {0, 1}, {0.5, 0.5}};
    expect_softmax(scores, expected);
}

GRADED_TEST(SoftmaxRows, GivesZerosToARowThatSeesNothing, "1.2", strong_hire, 2) {
    const Matrix scores{{minus_infinity, minus_infinity}, {1, 2}};
    expect_softmax(scores);
}

GRADED_TEST(SoftmaxRows, KeepsTheShapeWhenThereIsNoKey, "1.2", strong_hire, 1) {
    EXPECT_CLOSE(softmax_rows(Matrix({3, 0})), Matrix({3, 0}));
    EXPECT_CLOSE(softmax_rows(Matrix({0, 4})), Matrix({0, 4}));
}

}  // namespace
}  // namespace workbook::grading
