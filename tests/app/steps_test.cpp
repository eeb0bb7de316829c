// Deriving skeletons and single steps from a solution.
#include "app/steps/steps.hpp"

#include <gtest/gtest.h>

namespace workbook::steps {
namespace {

const std::string solution =
    "#include \"attention.hpp\"\n"
    "\n"
    "namespace workbook {\n"
    "\n"
    "// Step 1.1: first\n"
    "//\n"
    "// What to do.\n"
    "\n"
    "int first() {\n"
    "    // [1.1 first]\n"
    "    return 1;\n"
    "    // [1.1 first]\n"
    "}\n"
    "\n"
    "// Step 1.2: second\n"
    "\n"
    "// [1.2 helpers]\n"
    "int helper() { return 2; }\n"
    "// [1.2 helpers]\n"
    "\n"
    "int second() {\n"
    "    // [1.2 second]\n"
    "    return helper();\n"
    "    // [1.2 second]\n"
    "}\n"
    "\n"
    "}  // namespace workbook\n";

std::string error_of(const std::string& text) {
    try {
        (void)skeleton_of(text);
    } catch (const MarkerError& error) {
        return error.what();
    }
    return "";
}

TEST(Skeleton, ReplacesBodiesAndLeavesOutHelpers) {
    EXPECT_EQ(skeleton_of(solution),
              "#include \"attention.hpp\"\n"
              "\n"
              "namespace workbook {\n"
              "\n"
              "// Step 1.1: first\n"
              "//\n"
              "// What to do.\n"
              "\n"
              "int first() {\n"
              "    throw NotImplemented(\"1.1 first\");\n"
              "}\n"
              "\n"
              "// Step 1.2: second\n"
              "\n"
              "int second() {\n"
              "    throw NotImplemented(\"1.2 second\");\n"
              "}\n"
              "\n"
              "}  // namespace workbook\n");
}

TEST(StandIn, SaysOfEachFunctionThatItIsNotDefined) {
    EXPECT_EQ(stand_in_of(solution).find("NotImplemented"), std::string::npos);
    EXPECT_NE(stand_in_of(solution).find("throw NotDefined(\"1.2 second\");"), std::string::npos);
}

TEST(Skeleton, RefusesMarkersThatDoNotPair) {
    EXPECT_EQ(error_of("// [1.1 a]\n"), "line 2: [1.1 a] is not closed");
    EXPECT_EQ(error_of("// [1.1 a]\n// [1.2 b]\n"), "line 2: [1.2 b] inside [1.1 a]");
    EXPECT_EQ(error_of("// [1.1 a]\n// [1.1 a]\n// [1.1 a]\n// [1.1 a]\n"), "line 3: [1.1 a] is marked twice");
    EXPECT_EQ(error_of("int main() {}\n"), "line 2: no step is marked");
}

TEST(TitlesOf, GivesTheTitleOfEachStep) {
    std::vector<std::string> titles;
    for (const auto& [step, title] : titles_of(solution)) {
        titles.push_back(step + " " + title);
    }
    EXPECT_EQ(titles, (std::vector<std::string>{"1.1 first", "1.2 second"}));
}

TEST(SectionsOf, CutsAFileIntoItsSteps) {
    const std::vector<Section> sections = sections_of(solution);
    ASSERT_EQ(sections.size(), 3U);
    EXPECT_EQ(sections[0].step, "");
    EXPECT_EQ(sections[0].text, "#include \"attention.hpp\"\n\nnamespace workbook {\n");
    EXPECT_EQ(sections[1].step, "1.1");
    EXPECT_EQ(sections[1].text, "// Step 1.1: first\n//\n// What to do.\n\nint first() {\n    return 1;\n}\n");
    EXPECT_EQ(sections[2].step, "1.2");
    EXPECT_EQ(sections[2].text,
              "// Step 1.2: second\n\nint helper() { return 2; }\n\nint second() {\n    return helper();\n}\n");
}

TEST(OnlySteps, KeepsThemAtTheirLines) {
    const std::string second = only_steps(solution, {"1.2"}, "solution.cpp");
    EXPECT_TRUE(second.starts_with("#line 1 \"solution.cpp\"\n"));
    EXPECT_EQ(second.find("first()"), std::string::npos);
    EXPECT_NE(second.find("helper()"), std::string::npos);
    EXPECT_NE(second.find("}  // namespace workbook"), std::string::npos);
    const auto line_of = [](const std::string& text, const std::string& what) {
        return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(what)), '\n');
    };
    EXPECT_EQ(line_of(second, "int second()"), line_of(solution, "int second()") + 1);  // behind the #line line
}

TEST(OnlySteps, RefusesAStepThatIsNotThere) {
    EXPECT_THROW((void)only_steps(solution, {"1.2", "1.3"}, "solution.cpp"), MarkerError);
}

}  // namespace
}  // namespace workbook::steps
