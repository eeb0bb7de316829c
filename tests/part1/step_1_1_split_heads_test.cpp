// Step 1.1: split_heads and merge_heads.
#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/long_extent.hpp"

namespace workbook::grading {
namespace {

using mistakes::Decisions;
using reference::to_double;

void expect_split(const Tensor<3>& x, std::size_t heads) {
    const reference::Array<3> input = to_double(x);
    const Unchanged x_stays("x", x);
    EXPECT_ANSWER(split_heads(x, heads), reference::split_heads(input, heads),
                  [&](const Decisions& decisions) { return mistakes::split_heads(input, heads, decisions); });
}

void expect_merged(const Tensor<4>& x) {
    const reference::Array<4> input = to_double(x);
    const Unchanged x_stays("x", x);
    EXPECT_ANSWER(merge_heads(x), reference::merge_heads(input),
                  [&](const Decisions& decisions) { return mistakes::merge_heads(input, decisions); });
}

void expect_round_trip(const Tensor<3>& x, std::size_t heads) {
    const reference::Array<3> input = to_double(x);
    EXPECT_ANSWER(merge_heads(split_heads(x, heads)), input, [&](const Decisions& decisions) {
        return mistakes::merge_heads(mistakes::split_heads(input, heads, decisions), decisions);
    });
}

GRADED_TEST(SplitHeads, KeepsEachTokenWithItsHead, "1.1", hire, 3) {
    // One row, two tokens, two heads of width 2: small enough to check by eye.
    const Tensor<3> x{{{0, 1, 10, 11}, {20, 21, 30, 31}}};
    const Tensor<4> expected{{{{0, 1}, {20, 21}}, {{10, 11}, {30, 31}}}};
    EXPECT_ANSWER(split_heads(x, 2), expected,
                  [&](const Decisions& decisions) { return mistakes::split_heads(to_double(x), 2, decisions); });
}

GRADED_TEST(SplitHeads, KeepsBatchRowsApart, "1.1", hire, 2) {
    for (const unsigned seed : {1101U, 1109U}) {  // two calls: nothing may be left over from the first
        const Tensor<3> x = random_tensor<3>({2, 4, 6}, seed);
        expect_split(x, 2);
    }
    const Tensor<3> equal_extents = random_tensor<3>({3, 3, 9}, 1105);  // B = T = heads = d: no axis shows in the shape
    expect_split(equal_extents, 3);
}

GRADED_TEST(SplitHeads, TakesAnyNumberOfHeads, "1.1", hire, 2) {
    const Tensor<3> x = random_tensor<3>({4, 11, 12}, 1102);
    for (const std::size_t heads : {1U, 2U, 3U, 4U, 6U, 12U}) {
        SCOPED_TRACE("heads = " + std::to_string(heads));
        expect_split(x, heads);
    }
    Dice dice(1107);
    for (int trial = 0; trial < 40 && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t heads = dice.roll_wide(1, 40);
        const std::array<std::size_t, 3> shape{dice.roll(1, 4), dice.roll_wide(1, 1200 / heads + 1),
                                               heads * dice.roll(1, 5)};
        SCOPED_TRACE(shape_text(shape) + " in " + std::to_string(heads) + " heads");
        expect_split(random_tensor<3>(shape, dice.seed()), heads);
    }
    for (const auto& [batch, q_len, heads, head_dim] : each_long<4>({2, 2, 2, 2})) {
        const std::array<std::size_t, 3> shape{batch, q_len, heads * head_dim};
        SCOPED_TRACE(shape_text(shape) + " in " + std::to_string(heads) + " heads");
        expect_split(random_tensor<3>(shape, 1110), heads);
    }
}

GRADED_TEST(MergeHeads, PutsTheHeadsOfATokenSideBySide, "1.1", hire, 2) {
    for (const unsigned seed : {1103U, 1111U}) {
        const Tensor<4> x = random_tensor<4>({2, 3, 4, 5}, seed);
        expect_merged(x);
    }
    const Tensor<4> equal_extents = random_tensor<4>({3, 3, 3, 3}, 1106);
    expect_merged(equal_extents);
    Dice dice(1108);
    for (int trial = 0; trial < 40 && !::testing::Test::HasFailure(); ++trial) {
        const std::size_t heads = dice.roll_wide(1, 40);
        const std::array<std::size_t, 4> shape{dice.roll(1, 4), heads, dice.roll_wide(1, 1200 / heads + 1),
                                               dice.roll(1, 5)};
        SCOPED_TRACE(shape_text(shape));
        expect_merged(random_tensor<4>(shape, dice.seed()));
    }
    for (const auto& shape : each_long<4>({2, 2, 2, 2})) {
        SCOPED_TRACE(shape_text(shape));
        expect_merged(random_tensor<4>(shape, 1112));
    }
}

GRADED_TEST(MergeHeads, UndoesSplitHeads, "1.1", hire, 2) {
    const Tensor<3> x = random_tensor<3>({3, 5, 6}, 1104);
    expect_round_trip(x, 2);
    expect_round_trip(x, 3);
}

GRADED_TEST(SplitHeads, KeepsTheShapeOfAnEmptyCall, "1.1", strong_hire, 1) {
    EXPECT_CLOSE(split_heads(Tensor<3>({2, 0, 6}), 3), Tensor<4>({2, 3, 0, 2}));
    EXPECT_CLOSE(split_heads(Tensor<3>({0, 4, 6}), 3), Tensor<4>({0, 3, 4, 2}));
    EXPECT_CLOSE(merge_heads(Tensor<4>({2, 3, 0, 2})), Tensor<3>({2, 0, 6}));
    EXPECT_CLOSE(merge_heads(Tensor<4>({0, 3, 4, 2})), Tensor<3>({0, 4, 6}));
}

}  // namespace
}  // namespace workbook::grading
