// Names of mistakes are true: what the grader says of wrong answers of all kinds.
#include <gtest/gtest.h>

#include "app/base/text.hpp"
#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

const std::string scale = "scores /= std::sqrt(static_cast<Scalar>(q.shape(1)));";

TEST(Names, AreThoseOfBothMistakesInOneStep) {
    const RunResult result =
        grade("1", replaced(solution_with("1", scale, ""), "static_cast<Position>(j) > positions[r]",
                            "static_cast<Position>(j) >= positions[r]"));
    expect_text(result, "TWO MISTAKES: ");
    expect_text(result, "(mask_strict),");
    expect_text(result, "(scale_missing)");
    expect_no_text(result, "LOOKS LIKE");
}

TEST(Names, AreNotMadeUp) {
    const RunResult result =
        grade("1", solution_with("1", scale, "scores /= std::cbrt(static_cast<Scalar>(q.shape(1)));"));
    expect_text(result, "None of the known mistakes gives these answers.");
    expect_no_text(result, "MISTAKE");
    expect_no_text(result, "LOOKS LIKE");
}

TEST(Names, AreOnlyProbableWhereRightAnswersSpeakAgainstThem) {
    const std::string attends = "return output(projected.q, cache.live(), positions);";
    const RunResult result =
        grade("2", solution_with("2", attends,
                                 "const Positions own = call_positions(Lengths(batch, 0), q_len);\n"
                                 "    const KeyValues kv(projected.k, projected.v);\n    return q_len == 1 ? "
                                 "output(projected.q, kv, own) : output(projected.q, cache.live(), positions);"));
    expect_text(result, "LOOKS LIKE: the call attends to its own tokens only");
    expect_text(result, "Probably: it explains");
    expect_text(result, "Against it: ");
    expect_no_text(result, "MISTAKE");
    expect_no_text(result, "None of the known mistakes");
}

TEST(Names, SayForCertainThatAnInputWasChanged) {
    const RunResult result = grade("3", solution_with("3", "const std::size_t n_heads = q.shape(1);",
                                                      "const std::size_t n_heads = q.shape(1);\n"
                                                      "    const_cast<Tensor<4>&>(q) *= Scalar{2};"));
    expect_text(result, "MISTAKE: the call changes its input (input_changed)");
    expect_no_text(result, "LOOKS LIKE");
}

TEST(Names, SayThatABoundIsNotCheckedWhateverIsThrownInstead) {
    const RunResult result =
        grade("2", replaced(solution_with("2", "if (n_new[b] > max_len() - lengths_[b]) {", "if (b > batch()) {"),
                            "auto slots = xt::range(lengths_[b], lengths_[b] + n_new[b]);",
                            "auto slots = xt::range(lengths_[b], lengths_[b] + n_new[b]);\n"
                            "        if (n_new[b] > 0) {\n            keys_(b, 0, lengths_[b] + n_new[b] - 1, 0) = 0;\n"
                            "        }"));
    expect_text(result, "index 8 is out of bounds");
    expect_text(result, "MISTAKE: tokens beyond the capacity are not refused (refusal_missing)");
    expect_no_text(result, "wrong_exception");
}

TEST(Names, SayThatSomethingIsKeptBetweenCalls) {
    const RunResult result =
        grade("2", solution_with("2", "const Positions positions = call_positions(cache.lengths(), q_len);",
                                 "static Positions positions;\n"
                                 "    if (q_len > 1 || positions.shape(0) != batch || positions.shape(1) != q_len) {\n"
                                 "        positions = call_positions(cache.lengths(), q_len);\n"
                                 "    } else {\n        positions += 1;\n    }"));
    expect_text(result, "MISTAKE: the same calls give different answers (same_calls_differ)");
    expect_no_text(result, "append_");
}

}  // namespace
}  // namespace workbook::app
