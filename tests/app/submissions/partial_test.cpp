// Files that lack a function, or of which a step does not compile, cost that step and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/base/text.hpp"
#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The document about an answer to a part.
json graded(const std::string& part, const std::string& text) {
    write_atomically(answer_file(), text);
    return json::parse(check(part, {"--json", "--file", answer_file().string()}).output);
}

// The steps of a document that lost points.
std::vector<std::string> lossy_steps(const json& document) {
    std::vector<std::string> lossy;
    for (const json& step : document.at("parts").at(0).at("steps")) {
        if (step.at("points") != step.at("max_points")) {
            lossy.push_back(step.at("step"));
        }
    }
    return lossy;
}

std::vector<std::string> uncompiled_steps(const json& document) {
    std::vector<std::string> steps;
    for (const json& one : document.at("parts").at(0).at("uncompiled")) {
        steps.push_back(one.at("step"));
    }
    return steps;
}

json step_named(const json& document, const std::string& name) {
    for (const json& step : document.at("parts").at(0).at("steps")) {
        if (step.at("step") == name) {
            return step;
        }
    }
    return {};
}

using Steps = std::vector<std::string>;

// The worked part 2 with changes in two places, one of which may be none.
std::string part2_with(const std::string& from, const std::string& to, const std::string& also_from = "",
                       const std::string& also_to = "") {
    return replaced(solution_with("2", from, to), also_from.empty() ? "\x01" : also_from, also_to);
}

constexpr const char* last_of_positions = "positions(b, t) = static_cast<Position>(past[b] + t);";
constexpr const char* without_semicolon = "positions(b, t) = static_cast<Position>(past[b] + t)";

TEST(UndefinedFunctions, CostTheirStepInEveryPart) {
    const std::map<std::string, std::array<std::string, 3>> renamed{
        {"1", {"1.2", "Matrix softmax_rows(", "softmax_rows"}},
        {"2", {"2.2", "Positions call_positions(", "call_positions"}},
        {"3", {"3.1", "std::size_t kv_head_of(", "kv_head_of"}},
        {"streaming", {"streaming.1", "Tensor<4> attend(", "attend"}}};
    for (const auto& [part, change] : renamed) {
        const auto& [step, text, function] = change;
        const json document = graded(part, solution_with(part, text, replaced(text, "(", "_x(")));
        EXPECT_EQ(lossy_steps(document), Steps{step});
        const json undefined = step_named(document, step).at("undefined").at(0);
        EXPECT_EQ(undefined.at("function"), function);
        EXPECT_NE(undefined.at("signature").get<std::string>().find(function + "("), std::string::npos);
        EXPECT_NE(undefined.at("resembling").get<std::string>().find(function + "_x("), std::string::npos);
    }
}

TEST(UndefinedFunctions, AreNamedInTheReport) {
    const RunResult result = grade("3", solution_with("3", "std::size_t kv_head_of(", "std::size_t another_name("));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "NOT DEFINED, or with other parameters: kv_head_of");
    expect_text(result, "answer.cpp:20:\n           std::size_t another_name(");
    expect_text(result, "91 of 100 points, unfinished: right so far; not defined, or with other");
    expect_text(result, "Next: define kv_head_of for step 3.1");
    expect_no_text(result, "not attempted");
}

TEST(UndefinedFunctions, WithOtherParametersDoNotCostTheStepsThatCallThem) {
    const json document =
        graded("1", solution_with("1", "softmax_rows(const Matrix& scores)", "softmax_rows(Matrix scores)"));
    EXPECT_EQ(document.at("points"), 82);
    EXPECT_EQ(step_named(document, "1.2").at("undefined").at(0).at("function"), "softmax_rows");
    EXPECT_TRUE(step_named(document, "1.3").at("passed"));
}

TEST(UndefinedFunctions, AreThoseWithOtherParametersToo) {
    const json document =
        graded("3", solution_with("3", "kv_head_of(std::size_t query_head", "kv_head_of(int query_head"));
    EXPECT_EQ(document.at("points"), 91);
    const json step = step_named(document, "3.1");
    EXPECT_NE(step.at("undefined").at(0).at("resembling").get<std::string>().find("kv_head_of(int query_head"),
              std::string::npos);
    EXPECT_EQ(step.at("tests").at(0).at("outcome"), "not defined");
    EXPECT_EQ(step.at("tests").at(0).at("missing_step"), "3.1 kv_head_of");
}

TEST(UndefinedFunctions, AreNotMissedWhereNoTestNeedsThem) {
    // Written before there was Attention::output.
    const std::string old = read_file(source_folder() / "tests" / "variants" / "part1_plain_loops.cpp");
    ASSERT_EQ(old.find("Attention::output"), std::string::npos);
    const json document = graded("1", old);
    EXPECT_EQ(document.at("points"), 100) << document.dump(1);
    EXPECT_TRUE(step_named(document, "1.5").at("undefined").empty());
}

TEST(UndefinedFunctions, AreNotWhatAnEmptyStepIs) {
    const json document =
        graded("3", solution_with("3", "return query_head / group_size;", "throw NotImplemented(\"3.1 kv_head_of\");"));
    EXPECT_TRUE(step_named(document, "3.1").at("undefined").empty());
    EXPECT_EQ(step_named(document, "3.1").at("tests").at(0).at("outcome"), "not attempted");
}

TEST(UndefinedFunctions, AreErrorsForJunit) {
    const fs::path file = build_folder() / "graded" / "junit.xml";
    write_atomically(answer_file(), solution_with("3", "std::size_t kv_head_of(", "std::size_t another_name("));
    (void)check("3", {"--junit", file.string(), "--file", answer_file().string()});
    const std::string xml = read_file(file);
    EXPECT_NE(xml.find("<error message=\"3.1 kv_head_of is not defined, or with other parameters\">"),
              std::string::npos)
        << xml;
    EXPECT_NE(xml.find("failures=\"0\" errors=\"3\""), std::string::npos) << xml;
}

TEST(BrokenSteps, CostNoOtherStep) {
    const RunResult result = grade("2", part2_with(last_of_positions, without_semicolon));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, "2.2  the positions of a call                 does not compile    0/ 7 points");
    expect_text(result, "Step 2.2 does not compile; the rest is graded without it:");
    expect_text(result, "answer.cpp:66:65: error: expected");
    expect_text(result, "93 of 100 points, weak: for hire, step 2.2 does not compile");
    expect_text(result, "Next: fix step 2.2 in ");
}

TEST(BrokenSteps, LeaveTheFileAloneAndTheBuildAsItWas) {
    const std::string text = part2_with(last_of_positions, without_semicolon);
    (void)grade("2", text);
    EXPECT_EQ(read_file(answer_file()), text);
    const std::string source = read_file(build_folder() / "graded" / "submission_2.cpp");
    EXPECT_TRUE(source.starts_with("#include \"" + answer_file().string() + "\"")) << source;
    EXPECT_EQ(grade("2", solution_with("2", "", "")).exit_code, 0);
}

TEST(BrokenSteps, AreInTheDocument) {
    const json document = graded("2", part2_with(last_of_positions, without_semicolon));
    const json& part = document.at("parts").at(0);
    EXPECT_EQ(part.at("obstacle"), "");
    EXPECT_EQ(part.at("build_errors"), "");
    EXPECT_EQ(part.at("passed"), false);
    EXPECT_NE(part.at("uncompiled").at(0).at("errors").get<std::string>().find("answer.cpp:66:65: error: "),
              std::string::npos);
    EXPECT_EQ(step_named(document, "2.2").at("compiles"), false);
    EXPECT_EQ(step_named(document, "2.2").at("tests").at(0).at("outcome"), "does not compile");
    EXPECT_EQ(step_named(document, "2.3").at("compiles"), true);
}

TEST(BrokenSteps, MayBeSeveral) {
    const json document = graded("2", part2_with("cache.lengths(), q_len)", "cash.lengths(), q_len)",
                                                 "return 2 * n_layers", "return 2 * n_layrs"));
    EXPECT_EQ(uncompiled_steps(document), (Steps{"2.3", "2.4"}));
    EXPECT_EQ(lossy_steps(document), (Steps{"2.3", "2.4"}));
}

TEST(BrokenSteps, MayHaveBracesThatDoNotPairUp) {
    const std::string loop_end = std::string(last_of_positions) + "\n        }\n";
    const std::string headless =
        replaced(replaced(part2_with(loop_end, last_of_positions), "// Step", "//"), "// [", "//");
    for (const std::string& text : {part2_with(loop_end, last_of_positions), headless,
                                    part2_with(last_of_positions, std::string(last_of_positions) + " }")}) {
        const json document = graded("2", text);
        EXPECT_EQ(uncompiled_steps(document), Steps{"2.2"});
        EXPECT_EQ(lossy_steps(document), Steps{"2.2"});
    }
}

TEST(BrokenSteps, MayHaveAMemberThatTheClassDoesNotDeclare) {
    const json document =
        graded("1", solution_with("1", "Attention::output(const Tensor<4>& q", "Attention::output(int q"));
    EXPECT_EQ(uncompiled_steps(document), Steps{"1.5"});
    EXPECT_EQ(lossy_steps(document), Steps{"1.5"});
}

TEST(BrokenSteps, FindFilesBesideTheLearnersOne) {
    write_atomically(answer_file().parent_path() / "own_helper.hpp", "inline int own_helper() { return 0; }\n");
    const json document = graded("2", part2_with(last_of_positions, without_semicolon, "#include <cmath>",
                                                 "#include \"own_helper.hpp\"\n#include <cmath>"));
    EXPECT_EQ(lossy_steps(document), Steps{"2.2"});
}

// What is outside of steps keeps the file from building, as it has always been.
void expect_not_to_build(const std::string& text, const std::string& place) {
    const json part = graded("2", text).at("parts").at(0);
    EXPECT_EQ(part.at("obstacle"), "does not build");
    EXPECT_TRUE(part.at("steps").empty());
    EXPECT_TRUE(part.at("uncompiled").empty());
    EXPECT_NE(part.at("build_errors").get<std::string>().find(place), std::string::npos) << part.at("build_errors");
}

TEST(BrokenSteps, AreNotBlamedForWhatIsOutside) {
    expect_not_to_build(solution_with("2", "namespace workbook {", "namespace workbook {\nint broken = ;"),
                        "answer.cpp:18:14: error: ");
    expect_not_to_build(solution_with("2", "", "") + "int broken =\n", "int broken =");
    expect_not_to_build(solution_with("2", "#include <cmath>", "#include <cmaht>"), "answer.cpp:11:10: fatal error: ");
    write_atomically(answer_file().parent_path() / "own_helper.hpp", "int own_helper() { return 0 }\n");
    expect_not_to_build(solution_with("2", "#include <cmath>", "#include \"own_helper.hpp\""), "error: ");
}

}  // namespace
}  // namespace workbook::app
