// The direct oracle against numbers worked out by hand, and against the concatenating cache.
#include "reference/oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/concat_cache.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::reference {
namespace {

const double e = std::exp(1.0);

TEST(Oracle, GivesTheOnlyVisibleValueToTheFirstQuery) {
    const Array<4> q{{{{1.0}}}};
    const Array<4> k{{{{2.0}, {3.0}}}};
    const Array<4> v{{{{5.0}, {7.0}}}};
    EXPECT_CLOSE(attend(q, k, v, Positions{{0}}), (Array<4>{{{{5.0}}}}));
}

TEST(Oracle, WeighsTwoKeysByTheSoftmaxOfTheirScores) {
    // Scores 1·2 and 1·3, so weights 1 : e.
    const Array<4> q{{{{1.0}}}};
    const Array<4> k{{{{2.0}, {3.0}}}};
    const Array<4> v{{{{5.0}, {7.0}}}};
    EXPECT_CLOSE(attend(q, k, v, Positions{{1}}), (Array<4>{{{{(5 + 7 * e) / (1 + e)}}}}));
}

TEST(Oracle, DividesScoresByTheRootOfTheHeadWidth) {
    // d = 4: q·k is 4 and 6, divided by 2 gives 2 and 3.
    const Array<4> q{{{{1, 1, 1, 1}}}};
    const Array<4> k{{{{1, 1, 1, 1}, {2, 2, 1, 1}}}};
    const Array<4> v{{{{1, 0, 0, 0}, {0, 1, 0, 0}}}};
    EXPECT_CLOSE(attend(q, k, v, Positions{{1}}), (Array<4>{{{{1 / (1 + e), e / (1 + e), 0, 0}}}}));
}

TEST(Oracle, GivesZerosToAQueryThatSeesNothing) {
    const Array<4> q{{{{1.0}}}};
    EXPECT_CLOSE(attend(q, q, q, Positions{{sees_nothing}}), (Array<4>{{{{0.0}}}}));
}

TEST(Oracle, RepeatsEachKeyValueHeadForItsNeighbours) {
    const Array<4> x{{{{1.0}}, {{2.0}}}};
    EXPECT_CLOSE(repeat_heads(x, 3), (Array<4>{{{{1.0}}, {{1.0}}, {{1.0}}, {{2.0}}, {{2.0}}, {{2.0}}}}));
}

TEST(Oracle, RotatesAdjacentPairsByThePosition) {
    // d = 4, base 100: pair 0 turns by 1 radian per position, pair 1 by 1/10.
    const Array<4> x{{{{1, 0, 0, 2}}}};
    const double c = std::cos(3.0);
    const double s = std::sin(3.0);
    EXPECT_CLOSE(rotate(x, Positions{{3}}, 100.0), (Array<4>{{{{c, s, -2 * std::sin(0.3), 2 * std::cos(0.3)}}}}));
}

TEST(Oracle, RunsALayerThatCanBeWorkedOutByHand) {
    // One head of width 1, all weights 1 or 2: q = k = x, v = 2x, output = 2 · mixed.
    const AttentionConfig config = grading::heads_config(1, 1, 1);
    const AttentionWeights weights{Matrix{{1.0}}, Matrix{{1.0}}, Matrix{{2.0}}, Matrix{{2.0}}};
    const Array<3> x{{{0.0}, {1.0}}};
    // Token 1 has scores 1·0 and 1·1, weights 1 : e, values 0 and 2.
    EXPECT_CLOSE(forward(config, weights, x), (Array<3>{{{0.0}, {4 * e / (1 + e)}}}));
}

TEST(ConcatCache, GrowsTheCompactPairAndExpandsIt) {
    const auto k = grading::random_tensor<4>({1, 2, 1, 4}, 1);
    const auto v = grading::random_tensor<4>({1, 2, 1, 4}, 2);
    const ConcatStep first = concat_and_expand(std::nullopt, k, v, 6);
    EXPECT_EQ(shape_text(first.compact.k.shape()), "[1, 2, 1, 4]");
    EXPECT_EQ(shape_text(first.expanded.k.shape()), "[1, 6, 1, 4]");
    EXPECT_EQ(first.bytes_copied, 0U);
    const ConcatStep second = concat_and_expand(first.compact, k, v, 6);
    EXPECT_EQ(shape_text(second.compact.v.shape()), "[1, 2, 2, 4]");
    EXPECT_EQ(shape_text(second.expanded.v.shape()), "[1, 6, 2, 4]");
    EXPECT_EQ(second.compact.elements(), 2U * 1 * 2 * 2 * 4);
    EXPECT_EQ(second.bytes_copied, 2U * 1 * 2 * 1 * 4 * sizeof(Scalar));
}

TEST(ConcatCache, GivesTheSameAttentionAsTheWholeSequence) {
    const auto q = grading::random_tensor<4>({2, 6, 5, 3}, 3);
    const auto k = grading::random_tensor<4>({2, 3, 5, 3}, 4);
    const auto v = grading::random_tensor<4>({2, 3, 5, 3}, 5);
    const auto token = [](const Tensor<4>& x, std::size_t t) {
        return Tensor<4>(xt::view(x, xt::all(), xt::all(), xt::range(t, t + 1)));
    };
    std::optional<CompactPair> cache;
    const Array<4> whole = attend(to_double(q), to_double(k), to_double(v), positions_from_zero(2, 5));
    for (std::size_t t = 0; t < 5; ++t) {
        ConcatStep step = concat_and_expand(cache, token(k, t), token(v, t), 6);
        const Positions positions{{static_cast<Position>(t)}, {static_cast<Position>(t)}};
        const Array<4> out =
            attend(to_double(token(q, t)), to_double(step.expanded.k), to_double(step.expanded.v), positions);
        EXPECT_CLOSE(out, (Array<4>(xt::view(whole, xt::all(), xt::all(), xt::range(t, t + 1)))));
        cache = std::move(step.compact);
    }
}

TEST(ConcatCache, RefusesShapesAndHeadsThatDoNotFit) {
    const Tensor<4> k({1, 2, 1, 4});
    EXPECT_THROW((void)concat_and_expand(std::nullopt, k, Tensor<4>({1, 2, 2, 4}), 6), std::invalid_argument);
    EXPECT_THROW((void)concat_and_expand(std::nullopt, k, k, 5), std::invalid_argument);
    EXPECT_THROW((void)concat_and_expand(CompactPair{Tensor<4>({1, 3, 1, 4}), Tensor<4>({1, 3, 1, 4})}, k, k, 6),
                 std::invalid_argument);
}

}  // namespace
}  // namespace workbook::reference
