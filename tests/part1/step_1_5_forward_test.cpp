// Step 1.5: project and forward.
#include "reference/mistakes/models/cached_calls.hpp"
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

void expect_forward(const Attention& layer, const Tensor<3>& x) {
    const reference::Array<3> input = to_double(x);
    const Unchanged x_stays("x", x);
    EXPECT_ANSWER(layer.forward(x), reference::forward(layer.config(), layer.weights(), input),
                  [&](const Decisions& decisions) { return mistakes::forward(layer_of(layer), input, decisions); });
}

void expect_projected(const Attention& layer, const Tensor<3>& x, const Positions& positions) {
    const reference::Array<3> input = to_double(x);
    const Unchanged x_stays("x", x);
    const Unchanged positions_stay("positions", positions);
    const Projected projected = layer.project(x, positions);
    const reference::Heads expected = reference::project(layer.config(), layer.weights(), input, positions);
    const auto model = [&](const Decisions& decisions) {
        return mistakes::project(layer_of(layer), input, positions, decisions);
    };
    EXPECT_ANSWER(projected.q, expected.q, [&](const Decisions& decisions) { return model(decisions).q; });
    EXPECT_ANSWER(projected.k, expected.k, [&](const Decisions& decisions) { return model(decisions).k; });
    EXPECT_ANSWER(projected.v, expected.v, [&](const Decisions& decisions) { return model(decisions).v; });
}

// A layer of random extents, with rotary positions half of the time.
Attention any_layer(Dice& dice, bool grouped) {
    const std::size_t n_kv_heads = dice.roll_wide(1, 9);
    const std::size_t group_size = grouped ? dice.roll(1, 5) : 1;
    AttentionConfig config = heads_config(n_kv_heads * group_size, n_kv_heads, 2 * dice.roll(1, 3));
    if (dice.roll(0, 1) == 0) {
        config.rope_base = 100;
    }
    return random_layer(config, dice.seed());
}

std::string extents_text(const AttentionConfig& config, std::size_t batch, std::size_t q_len) {
    return "H = " + std::to_string(config.n_heads) + ", Hkv = " + std::to_string(config.n_kv_heads) +
           ", d = " + std::to_string(config.head_dim()) + ", B = " + std::to_string(batch) +
           ", T = " + std::to_string(q_len) + (config.rope_base ? ", with rotary positions" : "");
}

GRADED_TEST(Project, GivesQueriesKeysAndValuesByHead, "1.5", hire, 4) {
    const Attention layer = random_layer(heads_config(2, 2, 3), 1501);
    const Tensor<3> x = random_tensor<3>({2, 4, 6}, 1502);
    expect_projected(layer, x, reference::positions_from_zero(2, 4));
}

GRADED_TEST(Project, GivesAsManyKeyAndValueHeadsAsConfigured, "1.5", hire, 2) {
    const Attention layer = random_layer(heads_config(6, 3, 2), 1503);
    const Tensor<3> x = random_tensor<3>({2, 4, 12}, 1504);
    expect_projected(layer, x, reference::positions_from_zero(2, 4));
    Dice dice(1531);
    for (int trial = 0; trial < 30 && !::testing::Test::HasFailure(); ++trial) {
        const Attention any = any_layer(dice, true);
        const std::size_t batch = dice.roll(1, 4);
        const std::size_t q_len = dice.roll_wide(1, 3000 / any.config().d_model);
        Positions positions({batch, q_len});
        for (Position& position : positions) {
            position = static_cast<Position>(dice.roll(0, 3000));
        }
        SCOPED_TRACE(extents_text(any.config(), batch, q_len));
        expect_projected(any, random_tensor<3>({batch, q_len, any.config().d_model}, dice.seed()), positions);
    }
}

GRADED_TEST(Project, RotatesQueriesAndKeysButNotValues, "1.5", hire, 3) {
    AttentionConfig config = heads_config(2, 2, 4);
    config.rope_base = 10000;
    const Attention layer = random_layer(config, 1505);
    const Tensor<3> x = random_tensor<3>({2, 3, 8}, 1506);
    expect_projected(layer, x, {{0, 1, 2}, {7, 8, 9}});

    config = heads_config(4, 2, 4);
    config.rope_base = 100;
    expect_projected(random_layer(config, 1520), random_tensor<3>({2, 3, 16}, 1521), {{3, 4, 5}, {7, 8, 9}});
    expect_projected(random_layer(config, 1527), random_tensor<3>({2, 3, 16}, 1528), {{6, 1, 4}, {2, 5, 0}});
}

GRADED_TEST(Forward, MatchesTheOracle, "1.5", hire, 4) {
    const Attention layer = random_layer(heads_config(2, 2, 3), 1507);
    const Tensor<3> x = random_tensor<3>({2, 4, 6}, 1508);
    expect_forward(layer, x);
}

// `attend` takes grouped heads too: forward has to leave the choice to it. Part 3 may still be empty then.
void expect_grouped_forward() {
    SCOPED_TRACE("query heads share key/value heads: forward has to call attend, which is given");
    try {
        expect_forward(random_layer(heads_config(6, 3, 2), 1529), random_tensor<3>({2, 4, 12}, 1530));
        expect_forward(random_layer(heads_config(4, 1, 2), 1532), random_tensor<3>({2, 4, 8}, 1533));
    } catch (const NotImplemented& error) {
        if (!std::string(error.what()).starts_with("3.")) {
            throw;
        }
    }
}

void expect_output(const Attention& layer, std::size_t batch, std::size_t q_len, std::size_t kv_len, unsigned seed) {
    const AttentionConfig& config = layer.config();
    SCOPED_TRACE("output: " + extents_text(config, batch, q_len) + ", S = " + std::to_string(kv_len));
    const std::array<std::size_t, 4> rows{batch, config.n_kv_heads, kv_len, config.head_dim()};
    const Tensor<4> q = random_tensor<4>({batch, config.n_heads, q_len, config.head_dim()}, seed);
    const Tensor<4> k = random_tensor<4>(rows, seed + 1);
    const Tensor<4> v = random_tensor<4>(rows, seed + 2);
    const Positions positions = reference::positions_from_zero(batch, q_len);
    const Unchanged q_stays("q", q);
    const Unchanged k_stays("the keys", k);
    const Unchanged v_stays("the values", v);
    const Unchanged positions_stay("positions", positions);
    const reference::Array<4> mixed = reference::attend(to_double(q), to_double(k), to_double(v), positions);
    EXPECT_CLOSE(layer.output(q, KeyValues(k, v), positions),
                 reference::matmul(reference::merge_heads(mixed), layer.weights().wo));
}

// What parts 2 and 3 call on top of a cache. Forward can do without it, so it may be missing.
void expect_outputs() {
    unsigned seed = 1539;
    try {
        for (const auto& extents : {heads_config(2, 2, 3), heads_config(1, 1, 4), heads_config(3, 3, 1)}) {
            const Attention layer = random_layer(extents, 1538);
            for (const auto& [batch, q_len, kv_len] : {std::array<std::size_t, 3>{2, 1, 5},
                                                       {2, 1, 5},
                                                       {1, 3, 6},
                                                       {3, 3, 1},
                                                       {1, 1, 1},
                                                       {4, 2, 2},
                                                       {1, 1, long_extent},
                                                       {1, long_extent, 1}}) {
                expect_output(layer, batch, q_len, kv_len, seed++);
            }
        }
    } catch (const NotImplemented&) {
        return;
    }
}

// For calls that are too large to be compared with every mistake.
void expect_close_forward(const Attention& layer, const Tensor<3>& x) {
    EXPECT_CLOSE(layer.forward(x), reference::forward(layer.config(), layer.weights(), to_double(x)));
}

void expect_close_projection(const Attention& layer, const Tensor<3>& x) {
    const Positions positions = reference::positions_from_zero(x.shape(0), x.shape(1));
    const Projected projected = layer.project(x, positions);
    const reference::Heads expected = reference::project(layer.config(), layer.weights(), to_double(x), positions);
    EXPECT_CLOSE(projected.q, expected.q);
    EXPECT_CLOSE(projected.k, expected.k);
    EXPECT_CLOSE(projected.v, expected.v);
}

// Many rows, many tokens, many heads and wide ones. Scores and weights grow with the squares of the latter three.
void expect_large_calls_match() {
    if (::testing::Test::HasFailure()) {
        return;
    }
    constexpr std::size_t many = 260;
    const Attention narrow = random_layer(heads_config(1, 1, 1), 1534);
    for (const auto& [batch, q_len] : {std::array<std::size_t, 2>{many_threads, 1}, {1, many}}) {
        SCOPED_TRACE(extents_text(narrow.config(), batch, q_len));
        expect_close_forward(narrow, random_tensor<3>({batch, q_len, 1}, 1535));
    }
    for (const AttentionConfig& config : {heads_config(many_threads, many_threads, 1), heads_config(1, 1, many)}) {
        SCOPED_TRACE(extents_text(config, 1, 2));
        const Attention layer = random_layer(config, 1536);
        const Tensor<3> x = random_tensor<3>({1, 2, config.d_model}, 1537);
        expect_close_projection(layer, x);
        expect_close_forward(layer, x);
    }
    for (const auto& [batch, q_len] : each_long<2>({1, 1}, {many_threads, long_extent})) {
        SCOPED_TRACE(extents_text(narrow.config(), batch, q_len));
        expect_close_projection(narrow, random_tensor<3>({batch, q_len, 1}, 1533));
    }
}

GRADED_TEST(Forward, MatchesTheOracleForOtherExtents, "1.5", hire, 2) {
    for (const auto& [n_heads, head_dim, q_len] :
         {std::array<std::size_t, 3>{1, 5, 3}, {3, 2, 7}, {4, 4, 1}, {5, 1, 4}, {7, 9, 6}}) {
        SCOPED_TRACE("H = " + std::to_string(n_heads) + ", d = " + std::to_string(head_dim) +
                     ", T = " + std::to_string(q_len));
        const Attention layer = random_layer(heads_config(n_heads, n_heads, head_dim), 1509);
        const Tensor<3> x = random_tensor<3>({3, q_len, n_heads * head_dim}, 1510);
        expect_forward(layer, x);
    }
    Dice dice(1532);
    for (int trial = 0; trial < 30 && !::testing::Test::HasFailure(); ++trial) {
        const Attention any = any_layer(dice, false);
        const std::size_t batch = dice.roll(1, 4);
        const std::size_t q_len = dice.roll_wide(1, 300 / any.config().d_model + 1);
        SCOPED_TRACE(extents_text(any.config(), batch, q_len));
        expect_forward(any, random_tensor<3>({batch, q_len, any.config().d_model}, dice.seed()));
    }
    expect_large_calls_match();
    expect_grouped_forward();
    expect_outputs();
}

GRADED_TEST(Forward, CountsPositionsFromZero, "1.5", hire, 2) {
    AttentionConfig config = heads_config(2, 2, 4);
    config.rope_base = 100;
    const Attention layer = random_layer(config, 1511);
    const Tensor<3> x = random_tensor<3>({3, 5, 8}, 1512);  // with two rows, a sum over rows is twice the position
    expect_forward(layer, x);
}

GRADED_TEST(Forward, NeverLooksAhead, "1.5", hire, 3) {
    const Attention layer = random_layer(heads_config(2, 2, 3), 1513);
    Tensor<3> x = random_tensor<3>({2, 5, 6}, 1514);
    const Tensor<3> before = layer.forward(x);
    for (std::size_t t = 4; t >= 1; --t) {  // change token t and look at the tokens before it
        for (std::size_t c = 0; c < 6; ++c) {
            x(0, t, c) += 3;
            x(1, t, c) -= 2;
        }
        SCOPED_TRACE("token " + std::to_string(t) + " was changed");
        const Tensor<3> after = layer.forward(x);
        EXPECT_CLOSE(tokens(after, 0, t), tokens(before, 0, t));
        expect_forward(layer, x);
    }
}

GRADED_TEST(Forward, AnswersEveryCallByItself, "1.5", hire, 1) {
    // Two layers of one shape, called in turn: nothing may be left over from the call before.
    const Attention layer = random_layer(heads_config(2, 2, 3), 1522);
    const Attention other = random_layer(heads_config(2, 2, 3), 1523);
    for (const unsigned seed : {1524U, 1525U}) {
        const Tensor<3> x = random_tensor<3>({2, 4, 6}, seed);
        expect_forward(layer, x);
        expect_forward(other, x);
    }
    const Tensor<3> more_rows = random_tensor<3>({3, 4, 6}, 1526);
    expect_forward(layer, more_rows);
}

GRADED_TEST(Forward, LeavesItsInputAsItWas, "1.5", hire, 1) {
    const Attention layer = random_layer(heads_config(2, 2, 3), 1515);
    const Tensor<3> x = random_tensor<3>({2, 4, 6}, 1516);
    const Unchanged x_stays("x", x);
    const Tensor<3> first = layer.forward(x);
    EXPECT_CLOSE(layer.forward(x), first);
    if (::testing::Test::HasFailure() && !inputs_have_changed()) {
        blame("same_calls_differ");
    }
}

GRADED_TEST(Forward, StaysFiniteForScoresInTheThousands, "1.5", strong_hire, 2) {
    const Attention layer = random_layer(heads_config(2, 2, 3), 1517);
    const Tensor<3> x = random_tensor<3>({2, 6, 6}, 1518, 40.0);
    expect_forward(layer, x);
}

GRADED_TEST(Forward, KeepsTheShapeOfAnEmptyCall, "1.5", strong_hire, 2) {
    const Attention layer = random_layer(heads_config(2, 2, 3), 1519);
    EXPECT_CLOSE(layer.forward(Tensor<3>({2, 0, 6})), Tensor<3>({2, 0, 6}));
    EXPECT_CLOSE(layer.forward(Tensor<3>({0, 4, 6})), Tensor<3>({0, 4, 6}));
}

}  // namespace
}  // namespace workbook::grading
