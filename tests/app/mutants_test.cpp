// Mutants of right answers: what the operators change, and how many mutants become one program.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/mutants/equivalent.hpp"
#include "tests/mutants/figures.hpp"
#include "tests/mutants/making/operators.hpp"
#include "tests/mutants/making/wrappers.hpp"

namespace workbook::mutants {
namespace {

using Texts = std::vector<std::string>;

Texts bodies(const std::vector<Change>& changes, const std::string& body) {
    Texts texts;
    for (const Change& change : changes) {
        texts.push_back(change.applied(body));
    }
    return texts;
}

Texts lines(const std::vector<Wrapper>& wrappers) {
    Texts texts;
    for (const Wrapper& wrapper : wrappers) {
        texts.push_back(wrapper.line);
    }
    return texts;
}

bool has(const Texts& texts, const std::string& text) {
    return std::ranges::find(texts, text) != texts.end();
}

Function only_function(const std::string& definition) {
    return functions_of("// Step 1.1: a step\n" + definition).at(0);
}

TEST(Operators, TellAComparisonFromATemplate) {
    const std::string body = "std::vector<int> a; b = c < d;";
    EXPECT_EQ(bodies(changed_relations(body), body), Texts{"std::vector<int> a; b = c <= d;"});
}

TEST(Operators, MakeConditionsHoldAlwaysAndNever) {
    const std::string branch = "if (a(b)) c();";
    EXPECT_EQ(bodies(changed_conditions(branch), branch), (Texts{"if (true) c();", "if (false) c();"}));
    const std::string choice = "f(1, a > b ? c : d)";
    EXPECT_EQ(bodies(changed_conditions(choice), choice), (Texts{"f(1, true ? c : d)", "f(1, false ? c : d)"}));
}

TEST(Operators, ForgetWhatThereWas) {
    const std::string body = "a += b * *c;";
    EXPECT_EQ(bodies(changed_arithmetic(body), body), (Texts{"a = b * *c;", "a -= b * *c;", "a += b / *c;"}));
}

TEST(Operators, ChangeNumbersButNotNames) {
    EXPECT_EQ(bodies(changed_numbers("x2.shape(0)"), "x2.shape(0)"), Texts{"x2.shape(1)"});
    EXPECT_EQ(bodies(changed_numbers("a(2)"), "a(2)"), (Texts{"a(3)", "a(1)"}));
}

TEST(Operators, PutZeroInPlaceOfALoopsVariable) {
    const std::string body = "for (int b = 0; b < n; ++b) { x(b, n) = y[b]; }";
    EXPECT_EQ(bodies(zeroed_indices(body), body), (Texts{"for (int b = 0; b < n; ++b) { x(0, n) = y[b]; }",
                                                         "for (int b = 0; b < n; ++b) { x(b, n) = y[0]; }"}));
}

TEST(Operators, SwapArgumentsOfCalls) {
    const std::string body = "if (a) x(b, c(d, d)) = e;";
    EXPECT_EQ(bodies(swapped_arguments(body), body), Texts{"if (a) x(c(d, d), b) = e;"});
}

TEST(Operators, LeaveOutStatementsButNoDeclarations) {
    const std::string body = "const int a = 1; b = a; return b;";
    EXPECT_EQ(bodies(dropped_statements(body), body), Texts{"const int a = 1; ; return b;"});
}

TEST(Operators, EndLoopsAndFunctionsEarly) {
    const std::string loop = "for (int b = 0; b < n; ++b) { f(b); }";
    EXPECT_EQ(bodies(early_ends(loop), loop),
              (Texts{"for (int b = 0; b + 1 < n; ++b) { f(b); }", "for (int b = 0; b < n; ++b) { f(b); break; }"}));
    const std::string result = "int a = 0; b(); c(); return a;";
    EXPECT_EQ(bodies(early_ends(result), result),
              (Texts{"int a = 0; return a; b(); c(); return a;", "int a = 0; b(); return a; c(); return a;"}));
}

TEST(Operators, KeepTheValueOfTheFirstCall) {
    const std::string body = "const int a = b; c = a;";
    EXPECT_EQ(bodies(static_variables(body), body), Texts{"static const int a = b; c = a;"});
}

TEST(Operators, LeaveGivenLinesAlone) {
    EXPECT_TRUE(changes_of("expect_fits(k, v, 1);").empty());
}

TEST(Wrappers, SpoilResultsBeyondAnExtent) {
    const Function function = only_function("Tensor<3> f(const Tensor<3>& x) { return x; }");
    EXPECT_TRUE(has(lines(cliffs(function, "return x;")), "if (x.shape(1) > 256) spoil(result);"));
    EXPECT_TRUE(has(lines(special_cases(function, "")), "if (x.shape(0) == 1 && x.shape(1) > 1) spoil(result);"));
    EXPECT_TRUE(has(lines(written_inputs(function, "")), "write_to(x);"));
}

TEST(Wrappers, KnowWhichExtentsOthersFix) {
    const Function function =
        only_function("Matrix f(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v) {}");
    EXPECT_EQ(extents_of(function), (Texts{"q.shape(0)", "q.shape(1)", "k.shape(0)"}));
}

TEST(Wrappers, RememberNothingThatFollowsFromTheExtents) {
    const Function function = only_function("std::size_t f(std::size_t a, std::size_t b) {}");
    EXPECT_EQ(static_results(function, "").size(), 1U);
}

TEST(Functions, BelongToTheStepAboveThem) {
    const std::vector<Function> functions = functions_of(
        "// Step 1.1: one\nint f(int a) { return a; }\n// Step 1.2: two\nnamespace {\nvoid g() {}\n}\n"
        "Tensor<3> Attention::forward(const Tensor<3>& x) const { return x; }");
    ASSERT_EQ(functions.size(), 3U);
    EXPECT_EQ(functions[0].step, "1.1");
    EXPECT_EQ(functions[1].returns, "void");
    EXPECT_EQ(functions[2].step, "1.2");
    EXPECT_EQ(functions[2].name, "Attention::forward");
    EXPECT_EQ(functions[2].returns, "Tensor<3>");
    EXPECT_TRUE(functions[2].parameters.at(0).is_const);
}

TEST(Mutants, AreBodiesOfOneProgram) {
    const std::string answer =
        "namespace workbook {\n// Step 1.1: one\nint f(int a) {\n    return a + 1;\n}\n}  // namespace workbook\n";
    const std::vector<Mutant> mutants = mutants_of("f.cpp", answer, "1.1", {"arithmetic"});
    ASSERT_EQ(mutants.size(), 1U);
    EXPECT_EQ(mutants[0].lines(), "-return a + 1;\n+return a - 1;\n");
    const std::string text = text_with(answer, "1.1", mutants, {7});
    EXPECT_NE(text.find("case 7: return [&]() -> int {\n#line 1 \"mutant_7\"\n\n    return a - 1;"), std::string::npos);
    EXPECT_NE(text.find("default: return [&]() -> int {"), std::string::npos);
}

TEST(Mutants, AreFoundInTheCompilersLog) {
    EXPECT_EQ(
        broken_in("mutant_3:2:5: error: no\n/usr/include/a.hpp:1:1: error: no\nmutant_12:1:1:   required from here\n"
                  "mutant_4:1:1: warning: hm\n"),
        (std::vector<int>{3, 12}));
}

TEST(Mutants, AreCountedWhenTheyReadAlike) {
    const std::string answer = "// Step 1.1: one\nvoid f(int a) {\n    a = a + 1;\n    a = a + 1;\n}\n";
    const std::vector<Mutant> mutants = mutants_of("f.cpp", answer, "1.1", {"arithmetic"});
    ASSERT_EQ(mutants.size(), 2U);
    EXPECT_EQ(mutants[1].lines(), "-a = a + 1;\n+a = a - 1;  (2)\n");
}

TEST(Equivalents, AreListedBelowTheirReasons) {
    const std::vector<Equivalent> listed = parse_equivalents(
        "# Title\n\nText.\n\n## f.cpp 1.1 f\n\nA reason\nin two lines.\n-a\n+b\n+c\n\nAnother.\n+d\n");
    ASSERT_EQ(listed.size(), 3U);
    EXPECT_EQ(listed[0].lines, "-a\n+b\n");
    EXPECT_EQ(listed[1].reason, "A reason in two lines.");
    EXPECT_EQ(listed[2].reason, "Another.");
    EXPECT_THROW((void)parse_equivalents("## f.cpp 1.1 f\n\n+b\n"), ListError);
}

TEST(Figures, AreCountedForEachStepAndOperator) {
    Mutant mutant;
    mutant.step = "1.1";
    mutant.operation = "relation";
    const std::string page = page_of({{mutant, Fate::killed}, {mutant, Fate::equivalent}});
    EXPECT_NE(page.find("2 mutants: 1 fail, 0 do not compile, 1 are excused, 0 survive."), std::string::npos);
    EXPECT_NE(page.find("| 1.1 | 2 | 1 | 0 | 1 |"), std::string::npos);
    EXPECT_NE(page.find("| relation | 2 | 1 | 0 | 1 |"), std::string::npos);
}

}  // namespace
}  // namespace workbook::mutants
