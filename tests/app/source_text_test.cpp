// Reading learners' files that may not compile, and taking steps out of them.
#include "app/steps/source_text.hpp"

#include <gtest/gtest.h>

#include "app/base/text.hpp"
#include "app/build/partial/partial_file.hpp"
#include "app/judge/missing.hpp"
#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

using steps::Item;

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    for (const Item& item : steps::items_of(text)) {
        names.push_back(item.name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(CodeOf, LeavesOutWhatIsNoCode) {
    EXPECT_EQ(steps::code_of("a // b }\nc /* d\n} */ e"), "a       \nc     \n     e");
    EXPECT_EQ(steps::code_of("f(\"} \\\" }\", '}', 1'000)"), "f(        ,    , 1'000)");
    EXPECT_EQ(steps::code_of("R\"x(\" } )\" )x\" }"), "R              }");
    EXPECT_EQ(steps::code_of("#define a { \\\n  {\nb"), "             \n   \nb");
}

TEST(CodeOf, EndsAnOpenQuoteWithItsLine) {
    EXPECT_EQ(steps::code_of("a \"b }\n}"), "a     \n}");
}

TEST(ItemsOf, FindsFunctionsInNamespaces) {
    EXPECT_EQ(names_in("namespace workbook {\nint one(int x) { if (x) { return 1; } return 2; }\n"
                       "namespace {\nvoid two() {}\n}\nnamespace costs { Count three(); }\n"
                       "Tensor<3> Attention::forward(const Tensor<3>& x) const {}\n}"),
              (Names{"one", "two", "three", "Attention::forward"}));
}

TEST(ItemsOf, LeavesOutTheNamespacesInFrontOfAName) {
    EXPECT_EQ(
        names_in("Count costs::three() {}\nint workbook::window::first() {}\nint workbook::Attention::heads() {}"),
        (Names{"three", "first", "Attention::heads"}));
}

TEST(ItemsOf, TellsWhatIsNoFunctionFromFunctions) {
    EXPECT_EQ(names_in("struct S { int f() { return 1; } };\nauto g = [] { return 1; };\n"
                       "const std::vector<int> v{1, 2};\nint h() { return 1; }"),
              (Names{"", "", "", "h"}));
}

TEST(ItemsOf, GoesOnBehindAMissingSemicolon) {
    EXPECT_EQ(names_in("namespace {\nstruct S { int a }\n}\nint f() { return 1; }\nint g() { return 1; }"),
              (Names{"", "f", "g"}));
}

TEST(ItemsOf, GivesTheSignatureInOneLine) {
    const Item item = steps::items_of("int f(int a,  // first\n      int b) const {\n}").at(0);
    EXPECT_EQ(item.signature, "int f(int a, int b) const");
    EXPECT_TRUE(item.has_body);
}

TEST(StepFunctionsOf, FindsThoseOfEveryPart) {
    const Project project(source_folder(), build_folder());
    for (const Part& part : project.all()) {
        std::set<std::string> found;
        for (const steps::StepFunction& function : steps::step_functions_of(project.skeleton(part))) {
            EXPECT_NE(project.skeleton(part).find("NotImplemented(\"" + function.step + " " + function.name + "\")"),
                      std::string::npos)
                << function.name;
            EXPECT_NE(function.signature.find(function.name + "("), std::string::npos) << function.signature;
            found.insert(function.step);
        }
        EXPECT_EQ(found.size(), project.step_titles(part).size());
    }
}

TEST(Resembling, PrefersTheSameNameThenASimilarOneThenTheSameParameters) {
    const std::string similar = "int kv_head_off(double x) { return 1; }\n";
    const std::string same_parameters = "int another(int x) { return 1; }\n";
    const std::string same_name = "int kv_head_of(long x) { return 1; }\n";
    const auto of = [](const std::string& text) {
        const Found found = resembling(text, "answer.cpp", "kv_head_of", "int kv_head_of(int x)");
        return found.place + " " + found.signature;
    };
    EXPECT_EQ(of(same_parameters + similar + same_name), "answer.cpp:3 int kv_head_of(long x)");
    EXPECT_EQ(of(same_parameters + similar), "answer.cpp:2 int kv_head_off(double x)");
    EXPECT_EQ(of(same_parameters), "answer.cpp:1 int another(int x)");
    EXPECT_EQ(of("int far_away(double x) { return kv_head_of(1); }\n"), " ");
}

const std::vector<steps::StepFunction> functions{
    {"1.1", "first", "int first()"}, {"1.2", "second", "int second()"}, {"1.3", "third", "int third()"}};

// The text that is left, without lines that are blank.
std::string rest_after(const std::string& text, std::size_t line) {
    PartialFile file(text, functions);
    if (!file.take_out(line)) {
        return "nothing taken out";
    }
    std::string rest;
    for (const std::string& one : lines_of(file.source("/tmp/answer.cpp"))) {
        rest += one.find_first_not_of(' ') == std::string::npos ? "" : one + "\n";
    }
    return rest.substr(rest.find('\n') + 1);
}

TEST(PartialFile, LosesTheFunctionsOfOneStep) {
    const std::string text = "int first() { return x; }\nint helper() { return 1; }\nint second() { return 1; }\n";
    EXPECT_EQ(rest_after(text, 1), "int helper() { return 1; }\nint second() { return 1; }\n");
    EXPECT_EQ(rest_after(text, 3), "int first() { return x; }\nint helper() { return 1; }\n");
}

TEST(PartialFile, LosesAHelperWithTheStepsThatNeedIt) {
    const std::string text =
        "int helper() { return x; }\nint inner() { return helper(); }\nint first() { return 1; }\n"
        "int second() { return inner(); }\n";
    EXPECT_EQ(rest_after(text, 1), "int inner() { return helper(); }\nint first() { return 1; }\n");
}

TEST(PartialFile, LosesAllOfAStepWhoseBracesDoNotPairUp) {
    const std::string text =
        "int first() {\n  return 1;\n}\nint second() {\n  if (x) {\n}\nint third() {\n  return 1;\n}\n";
    EXPECT_EQ(rest_after(text, 7), "int first() {\n  return 1;\n}\nint third() {\n  return 1;\n}\n");
}

TEST(PartialFile, KeepsTheEndOfTheNamespace) {
    const std::string text = "namespace w {\nint first() {\n  return 1;\n}\nint second() {\n  if (x) {\n}\n}  // w\n";
    EXPECT_EQ(rest_after(text, 8).find("int second"), std::string::npos);
    EXPECT_EQ(steps::items_of(rest_after(text, 8) + "int f();").size(), 2U);
    const std::string rest = rest_after(text, 8);
    EXPECT_EQ(std::count(rest.begin(), rest.end(), '{'), std::count(rest.begin(), rest.end(), '}')) << rest;
}

TEST(PartialFile, LosesNothingForAnErrorOutsideOfSteps) {
    EXPECT_EQ(rest_after("#include <vectr>\nint first() { return 1; }\nint second() { return 1; }\n", 1),
              "nothing taken out");
    EXPECT_EQ(rest_after("int x = ;\nint first() { return 1; }\nint second() { return 1; }\nint third() {}\n", 1),
              "nothing taken out");
}

TEST(PartialFile, KeepsEveryLineWhereItIs) {
    const std::string text = "int first() {\n  return x;\n}\nint second() { return 1; }\n";
    PartialFile file(text, functions);
    ASSERT_TRUE(file.take_out(2));
    const std::vector<std::string> lines = lines_of(file.source("/tmp/an\\swer.cpp"));
    EXPECT_EQ(lines.at(0), "#line 1 \"/tmp/an\\\\swer.cpp\"");
    EXPECT_EQ(lines.at(4), "int second() { return 1; }");
}

}  // namespace
}  // namespace workbook::app
