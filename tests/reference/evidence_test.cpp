// What answers say about mistakes: the evidence that a test collects, and pairs of mistakes.
#include "reference/mistakes/evidence.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "reference/mistakes/models/model.hpp"
#include "tests/support/inputs.hpp"

namespace workbook::mistakes {
namespace {

using Names = std::set<std::string>;

// Five tokens of two heads, whole prompt: step 1.4 with some decisions.
Model prompt(unsigned seed, std::size_t q_len = 5) {
    const Array<4> q = reference::to_double(grading::random_tensor<4>({2, 2, q_len, 5}, seed));
    const KeyRows rows{reference::to_double(grading::random_tensor<4>({2, 2, q_len, 5}, seed + 1)),
                       reference::to_double(grading::random_tensor<4>({2, 2, q_len, 5}, seed + 2)), Lengths(2, q_len)};
    return model_of([=](const Decisions& decisions) {
        return attend(q, rows, reference::positions_from_zero(2, q_len), decisions);
    });
}

void weigh(Evidence& evidence, const Decisions& made, const Model& model) {
    const Values actual = model(made);
    evidence.weigh(agrees(actual, model({})), actual, model({}), model);
}

TEST(Evidence, NamesTheMistakesThatGiveEveryWrongAnswer) {
    Evidence evidence("1.4");
    weigh(evidence, {.scale = Scale::none}, prompt(1));
    EXPECT_EQ(evidence.suspects(), Names{"scale_missing"});
    weigh(evidence, {.mask = Mask::strict}, prompt(4));
    EXPECT_TRUE(evidence.suspects().empty());
    EXPECT_TRUE(evidence.is_unexplained());
}

TEST(Evidence, SaysNothingOfAnswersThatComeFromAWrongState) {
    Evidence evidence("1.4");
    const Model model = prompt(1);
    const Values of_wrong_state = prompt(7)({});  // not what the model starts from
    evidence.weigh(false, model({}), of_wrong_state, model);
    EXPECT_TRUE(evidence.suspects().empty());
    evidence.question({"scale_missing"});
    evidence.weigh(false, model({}), of_wrong_state, model);
    EXPECT_TRUE(evidence.contrary().empty());
}

TEST(Evidence, CountsRightAndWrongAnswersAgainstASuspect) {
    Evidence evidence("1.4");
    evidence.question({"scale_missing", "mask_strict", "input_changed"});
    weigh(evidence, {.mask = Mask::strict}, prompt(1));
    EXPECT_EQ(evidence.contrary(), Names{"scale_missing"});
    weigh(evidence, {}, prompt(4));
    EXPECT_EQ(evidence.refuted(), (Names{"mask_strict", "scale_missing"}));  // no answer shows the third
}

TEST(Evidence, CountsACallThatASuspectWouldRefuse) {
    Evidence evidence("2.1");
    evidence.question({"refusal_of_fitting"});
    const Model model = [](const Decisions& decisions) {
        if (decisions.refusal != Refusal::too_many) {
            throw std::length_error("refused");
        }
        return Values{{1}, {0.5}};
    };
    weigh(evidence, {}, model);
    EXPECT_EQ(evidence.refuted(), Names{"refusal_of_fitting"});
}

TEST(Evidence, CountsAPairThatCannotBeMadeAgainstItself) {
    Evidence evidence("1.4");
    evidence.question({"mask_strict+scale_missing", "scale_missing"});
    const Model model = [](const Decisions& decisions) {
        if (decisions.scale == Scale::none) {
            throw std::invalid_argument("not with these extents");
        }
        return Values{{1}, {0.5}};
    };
    evidence.weigh(false, {{1}, {0.25}}, {{1}, {0.5}}, model);
    EXPECT_EQ(evidence.contrary(), Names{"mask_strict+scale_missing"});
}

TEST(Evidence, KeepsWhatIsSettledFirst) {
    Evidence evidence("1.4");
    evidence.settle("input_changed");
    evidence.settle("cache_copied");
    weigh(evidence, {.scale = Scale::none}, prompt(1));
    EXPECT_EQ(evidence.suspects(), Names{"input_changed"});
}

TEST(Evidence, RecognisesTheAnswerOfAnEarlierCall) {
    Evidence evidence("1.4");
    const Model first = prompt(1);
    const Model second = prompt(4);
    weigh(evidence, {}, first);
    evidence.weigh(false, first({}), second({}), second);
    EXPECT_EQ(evidence.suspects(), Names{"answer_remembered"});
}

TEST(Evidence, RecognisesAnAnswerThatIsNearlyRight) {
    Evidence evidence("1.4");
    const Model model = prompt(1);
    Values rounded = model({});
    for (double& element : rounded.elements) {
        element = static_cast<double>(static_cast<float>(element));
    }
    evidence.weigh(false, rounded, model({}), model);
    EXPECT_EQ(evidence.suspects(), Names{"answer_nearly_right"});
    Evidence questioned("1.4");
    questioned.question({"answer_nearly_right"});
    questioned.weigh(false, rounded, model({}), model);
    EXPECT_TRUE(questioned.contrary().empty());
    weigh(questioned, {.scale = Scale::none}, prompt(4));
    EXPECT_EQ(questioned.contrary(), Names{"answer_nearly_right"});
}

TEST(Pairs, AreTheWaysToMakeBothMistakes) {
    EXPECT_EQ(pair_of("scale_missing", "mask_strict"), "mask_strict+scale_missing");
    EXPECT_EQ(mistakes_in("mask_strict+scale_missing").back()->id, "scale_missing");
    const std::vector<Way> ways = ways_of("mask_strict+scale_missing");
    ASSERT_FALSE(ways.empty());
    EXPECT_EQ(ways.front().decisions, (Decisions{.scale = Scale::none, .mask = Mask::strict}));
    EXPECT_TRUE(ways_of("scale_by_width+scale_missing").empty());  // one decision, taken in two ways
}

TEST(Pairs, AreFoundWhereNoMistakeAloneGivesTheAnswer) {
    const Decisions made{.scale = Scale::none, .mask = Mask::one_ahead};
    Evidence alone("1.4");
    weigh(alone, made, prompt(1));
    EXPECT_TRUE(alone.is_unexplained());
    Evidence paired("1.4");
    paired.search_pairs({});
    weigh(paired, made, prompt(1));
    EXPECT_TRUE(paired.suspects().contains("mask_one_ahead+scale_missing"));
    weigh(paired, made, prompt(4));
    EXPECT_TRUE(paired.suspects().contains("mask_one_ahead+scale_missing"));
}

}  // namespace
}  // namespace workbook::mistakes
