// Step 1.1: split_heads and merge_heads.
#include "close.hpp"
#include "graded.hpp"
#include "inputs.hpp"

namespace workbook::grading {
namespace {

using reference::to_double;

GRADED_TEST(SplitHeads, KeepsEachTokenWithItsHead, "1.1", hire, 3) {
    // One row, two tokens, two heads of width 2: small enough to check by eye.
    const Tensor<3> x{{{0, 1, 10, 11}, {20, 21, 30, 31}}};
    const Tensor<4> expected{{{{0, 1}, {20, 21}}, {{10, 11}, {30, 31}}}};
    EXPECT_CLOSE(split_heads(x, 2), expected);
}

GRADED_TEST(SplitHeads, KeepsBatchRowsApart, "1.1", hire, 2) {
    const Tensor<3> x = random_tensor<3>({2, 4, 6}, 1101);
    EXPECT_CLOSE(split_heads(x, 2), reference::split_heads(to_double(x), 2));
    const Tensor<3> equal_extents = random_tensor<3>({3, 3, 9}, 1105);  // B = T = heads = d: no axis shows in the shape
    EXPECT_CLOSE(split_heads(equal_extents, 3), reference::split_heads(to_double(equal_extents), 3));
}

GRADED_TEST(SplitHeads, TakesAnyNumberOfHeads, "1.1", hire, 2) {
    const Tensor<3> x = random_tensor<3>({4, 11, 12}, 1102);
    for (const std::size_t heads : {1U, 2U, 3U, 4U, 6U, 12U}) {
        SCOPED_TRACE("heads = " + std::to_string(heads));
        EXPECT_CLOSE(split_heads(x, heads), reference::split_heads(to_double(x), heads));
    }
}

GRADED_TEST(MergeHeads, PutsTheHeadsOfATokenSideBySide, "1.1", hire, 2) {
    const Tensor<4> x = random_tensor<4>({2, 3, 4, 5}, 1103);
    EXPECT_CLOSE(merge_heads(x), reference::merge_heads(to_double(x)));
    const Tensor<4> equal_extents = random_tensor<4>({3, 3, 3, 3}, 1106);
    EXPECT_CLOSE(merge_heads(equal_extents), reference::merge_heads(to_double(equal_extents)));
}

GRADED_TEST(MergeHeads, UndoesSplitHeads, "1.1", hire, 2) {
    const Tensor<3> x = random_tensor<3>({3, 5, 6}, 1104);
    EXPECT_CLOSE(merge_heads(split_heads(x, 2)), to_double(x));
    EXPECT_CLOSE(merge_heads(split_heads(x, 3)), to_double(x));
}

GRADED_TEST(SplitHeads, KeepsTheShapeOfAnEmptyCall, "1.1", strong_hire, 1) {
    EXPECT_CLOSE(split_heads(Tensor<3>({2, 0, 6}), 3), Tensor<4>({2, 3, 0, 2}));
    EXPECT_CLOSE(split_heads(Tensor<3>({0, 4, 6}), 3), Tensor<4>({0, 3, 4, 2}));
    EXPECT_CLOSE(merge_heads(Tensor<4>({2, 3, 0, 2})), Tensor<3>({2, 0, 6}));
    EXPECT_CLOSE(merge_heads(Tensor<4>({0, 3, 4, 2})), Tensor<3>({0, 4, 6}));
}

}  // namespace
}  // namespace workbook::grading
