// Given code: bad input is refused with the argument, what was expected and what came.
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace workbook {
namespace {

// The message of the exception that `call` throws, or an empty text.
template <class Error>
std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string config_refusal(std::size_t d_model, std::size_t n_heads, std::size_t n_kv_heads) {
    AttentionConfig config;
    config.d_model = d_model;
    config.n_heads = n_heads;
    config.n_kv_heads = n_kv_heads;
    return refusal<std::invalid_argument>([&] { const Attention layer(config, AttentionWeights{}); });
}

TEST(Attention, RefusesZeroExtents) {
    EXPECT_EQ(config_refusal(0, 1, 1), "Attention: d_model must be at least 1 (d_model 0, n_heads 1, n_kv_heads 1)");
    EXPECT_EQ(config_refusal(6, 0, 1), "Attention: n_heads must be at least 1 (d_model 6, n_heads 0, n_kv_heads 1)");
    EXPECT_EQ(config_refusal(6, 2, 0), "Attention: n_kv_heads must be at least 1 (d_model 6, n_heads 2, n_kv_heads 0)");
}

TEST(Attention, RefusesHeadsThatDoNotDivide) {
    EXPECT_EQ(config_refusal(7, 2, 2), "Attention: n_heads must divide d_model (d_model 7, n_heads 2, n_kv_heads 2)");
    EXPECT_EQ(config_refusal(6, 3, 2),
              "Attention: n_kv_heads must divide n_heads (d_model 6, n_heads 3, n_kv_heads 2)");
    EXPECT_EQ(config_refusal(6, 2, 4),
              "Attention: n_kv_heads must divide n_heads (d_model 6, n_heads 2, n_kv_heads 4)");
}

TEST(Attention, RefusesWeightsOfTheWrongShape) {
    const AttentionConfig config = grading::heads_config(4, 2, 3);
    AttentionWeights weights = grading::random_weights(config, 1);
    weights.wk = Matrix({12, 12});
    EXPECT_EQ(refusal<std::invalid_argument>([&] { const Attention layer(config, weights); }),
              "Attention: wk has shape [12, 12], expected [12, 6]");
}

TEST(Attention, RefusesRotaryPositionsForOddHeads) {
    AttentionConfig config = grading::heads_config(2, 2, 3);
    config.rope_base = 10000;
    EXPECT_NE(refusal<std::invalid_argument>([&] { (void)grading::random_layer(config, 1); }).find("even head_dim"),
              std::string::npos);
    config = grading::heads_config(2, 2, 4);
    config.rope_base = -1;
    EXPECT_NE(refusal<std::invalid_argument>([&] { (void)grading::random_layer(config, 1); }).find("rope_base"),
              std::string::npos);
}

TEST(Attention, RefusesAnInputOfTheWrongWidth) {
    const Attention layer = grading::random_layer(grading::heads_config(2, 2, 3), 1);
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  (void)layer.forward(Tensor<3>({2, 4, 5}));
              }),
              "forward: x has shape [2, 4, 5], expected [*, *, 6]");
}

TEST(Attention, RefusesACacheThatDoesNotFit) {
    const Attention layer = grading::random_layer(grading::heads_config(4, 2, 3), 1);
    KVCache wrong_heads(2, 4, 8, 3);
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  (void)layer.forward(Tensor<3>({2, 1, 12}), wrong_heads);
              }),
              "forward: cache has shape [2, 4, 8, 3], expected [2, 2, *, 3]");
    KVCache cache(2, 2, 8, 3);
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  (void)layer.forward(Tensor<3>({3, 1, 12}), cache);
              }),
              "forward: cache has shape [2, 2, 8, 3], expected [3, 2, *, 3]");
}

TEST(Attention, RefusesCountsThatDoNotFit) {
    const Attention layer = grading::random_layer(grading::heads_config(4, 2, 3), 1);
    KVCache cache(2, 2, 8, 3);
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  (void)layer.forward(Tensor<3>({2, 1, 12}), cache, {1});
              }),
              "forward: n_new has 1 elements, expected 2");
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  (void)layer.forward(Tensor<3>({2, 1, 12}), cache, {1, 2});
              }),
              "forward: n_new[1] is 2, but there are only 1 token slots per row");
    EXPECT_EQ(cache.lengths(), (Lengths{0, 0}));
}

TEST(Rotate, TurnsAdjacentPairsByTheirPosition) {
    AttentionConfig config = grading::heads_config(2, 1, 4);
    config.rope_base = 100;
    const Attention layer = grading::random_layer(config, 1);
    const Tensor<4> heads = grading::random_tensor<4>({2, 2, 3, 4}, 2);
    const Positions positions{{0, 1, 2}, {5, 6, 7}};
    EXPECT_CLOSE(layer.rotate(heads, positions), reference::rotate(reference::to_double(heads), positions, 100.0));
}

TEST(Rotate, DoesNothingWithoutABaseOrInPaddedSlots) {
    const Tensor<4> heads = grading::random_tensor<4>({1, 2, 2, 4}, 3);
    const Positions positions{{sees_nothing, sees_nothing}};
    AttentionConfig config = grading::heads_config(2, 2, 4);
    EXPECT_CLOSE(grading::random_layer(config, 1).rotate(heads, Positions{{3, 4}}), heads);
    config.rope_base = 100;
    EXPECT_CLOSE(grading::random_layer(config, 1).rotate(heads, positions), heads);
}

TEST(KVCache, RefusesZeroHeadsAndZeroWidth) {
    EXPECT_EQ(refusal<std::invalid_argument>([] { const KVCache cache(2, 0, 8, 3); }),
              "KVCache: n_kv_heads must be at least 1, got 0");
    EXPECT_EQ(refusal<std::invalid_argument>([] { const KVCache cache(2, 2, 8, 0); }),
              "KVCache: head_dim must be at least 1, got 0");
}

TEST(KVCache, RefusesToAppendWhatDoesNotFit) {
    KVCache cache(2, 3, 8, 4);
    const Tensor<4> k({2, 3, 5, 4});
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  cache.append(Tensor<4>({2, 2, 5, 4}), k, {5, 5});
              }),
              "append: k has shape [2, 2, 5, 4], expected [2, 3, *, 4]");
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  cache.append(k, Tensor<4>({2, 3, 4, 4}), {4, 4});
              }),
              "append: v has shape [2, 3, 4, 4], expected [2, 3, 5, 4]");
    EXPECT_EQ(refusal<std::invalid_argument>([&] { cache.append(k, k, {5}); }),
              "append: n_new has 1 elements, expected 2");
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                  cache.append(k, k, {6, 1});
              }),
              "append: n_new[0] is 6, but there are only 5 token slots per row");
    EXPECT_EQ(cache.lengths(), (Lengths{0, 0}));
}

TEST(KVCache, CountsItsBytes) {
    EXPECT_EQ(KVCache(2, 3, 8, 4).bytes(), 2U * 2 * 3 * 8 * 4 * sizeof(Scalar));
}

TEST(KeyValues, ShowsTheLiveRowsOfEachHeadWithoutACopy) {
    const Tensor<4> k = grading::random_tensor<4>({2, 2, 5, 3}, 4);
    const Tensor<4> v = grading::random_tensor<4>({2, 2, 5, 3}, 5);
    const KeyValues kv(k, v, {2, 5});
    EXPECT_EQ(kv.keys(0, 1).data(), &k(0, 1, 0, 0));
    EXPECT_EQ(kv.values(1, 0).data(), &v(1, 0, 0, 0));
    EXPECT_CLOSE(kv.keys(0, 1), (Matrix(xt::view(k, 0, 1, xt::range(0, 2)))));
    EXPECT_CLOSE(kv.values(1, 0), (Matrix(xt::view(v, 1, 0))));
}

TEST(KeyValues, RefusesWhatDoesNotFit) {
    const Tensor<4> k({2, 2, 5, 3});
    EXPECT_THROW(KeyValues(k, Tensor<4>({2, 2, 4, 3})), std::invalid_argument);
    EXPECT_THROW(KeyValues(k, k, {1}), std::invalid_argument);
    EXPECT_THROW(KeyValues(k, k, {1, 6}), std::invalid_argument);
    const KeyValues kv(k, k);
    EXPECT_THROW((void)kv.keys(0, 2), std::out_of_range);
    EXPECT_THROW((void)kv.values(2, 0), std::out_of_range);
}

TEST(ViewHeads, ShowsNeighbouringHeadsAsOneMatrix) {
    const Tensor<4> q = grading::random_tensor<4>({2, 4, 3, 2}, 6);
    const ConstMatrix two = view_heads(q, 1, 2, 2);
    EXPECT_EQ(two.data(), &q(1, 2, 0, 0));
    EXPECT_EQ(two.shape(0), 6U);
    EXPECT_EQ(two(5, 1), q(1, 3, 2, 1));
    EXPECT_THROW((void)view_heads(q, 1, 3, 2), std::out_of_range);
    EXPECT_THROW((void)view_heads(q, 2, 0), std::out_of_range);
}

TEST(Matmul, MultipliesMatricesAndViews) {
    const Matrix a{{1, 2, 3}, {4, 5, 6}};
    const Matrix b{{1, 0}, {0, 1}, {1, 1}};
    EXPECT_CLOSE(matmul(a, view_matrix(b)), (Matrix{{4, 5}, {10, 11}}));
    EXPECT_CLOSE(matmul_transposed(view_matrix(a), a), (Matrix{{14, 32}, {32, 77}}));
    EXPECT_CLOSE(linear(Tensor<3>{{{1, 2, 3}}, {{4, 5, 6}}}, b), (Tensor<3>{{{4, 5}}, {{10, 11}}}));
}

TEST(Matmul, GivesZerosForAnEmptySum) {
    EXPECT_CLOSE(matmul(Matrix({2, 0}), Matrix({0, 3})), (Matrix{{0, 0, 0}, {0, 0, 0}}));
    EXPECT_CLOSE(matmul_transposed(Matrix({0, 3}), Matrix({2, 3})), Matrix({0, 2}));
}

TEST(Matmul, RefusesInnerExtentsThatDiffer) {
    EXPECT_EQ(refusal<std::invalid_argument>([] {
                  (void)matmul(Matrix({2, 3}), Matrix({4, 2}));
              }),
              "matmul: the inner extents of [2, 3] and [4, 2] differ");
    EXPECT_THROW((void)matmul_transposed(Matrix({2, 3}), Matrix({4, 2})), std::invalid_argument);
    EXPECT_THROW((void)linear(Tensor<3>({1, 2, 3}), Matrix({4, 2})), std::invalid_argument);
}

}  // namespace
}  // namespace workbook
