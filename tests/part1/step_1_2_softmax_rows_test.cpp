// Step 1.2: softmax_rows.
#include <cmath>
#include <limits>

#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::grading {
namespace {

using reference::Array;
using reference::to_double;

constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();

void expect_softmax(const Matrix& scores, const Array<2>& expected) {
    const Array<2> input = to_double(scores);
    const Unchanged scores_stay("scores", scores);
    EXPECT_ANSWER(softmax_rows(scores), expected,
                  [&](const mistakes::Decisions& decisions) { return mistakes::softmax_rows(input, decisions); });
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
    Dice dice(1205);
    for (int trial = 0; trial < 40 && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t kv_len = dice.roll_wide(1, 5000);
        const std::size_t rows = dice.roll_wide(1, 6000 / kv_len + 1);
        SCOPED_TRACE(shape_text(std::array<std::size_t, 2>{rows, kv_len}) + " scores");
        expect_softmax(random_tensor<2>({rows, kv_len}, dice.seed(), 2.0));
    }
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
    Dice dice(1206);
    for (int trial = 0; trial < 20 && !::testing::Test::HasFailure(); ++trial) {  // row r sees keys 0 … seen - 1
        const std::size_t kv_len = dice.roll_wide(1, 1500);
        Matrix some = random_tensor<2>({dice.roll(1, 4), kv_len}, dice.seed());
        for (std::size_t r = 0; r < some.shape(0); ++r) {
            for (std::size_t j = dice.roll(1, kv_len); j < kv_len; ++j) {
                some(r, j) = minus_infinity;
            }
        }
        SCOPED_TRACE(std::to_string(kv_len) + " keys");
        expect_softmax(some);
    }
}

GRADED_TEST(SoftmaxRows, StaysFiniteForScoresInTheThousands, "1.2", strong_hire, 3) {
    const double more = 1 / (1 + std::exp(-1.0));  // the weight of a score that is higher than the other by 1
    const Matrix scores{{1000, 1000},  {0, minus_infinity}, {-900, -901},    {-4000, -4001},
                        {3000, -3000}, {-3000, 3000},       {-20000, -20000}};
    const Array<2> expected{{0.5, 0.5}, {1, 0}, {more, 1 - more}, {more, 1 - more}, {1, 0}, {0, 1}, {0.5, 0.5}};
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
