// Learners' files on a new skeleton, as texts.
#include "app/steps/exercises/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/steps/steps.hpp"
#include "tests/app/skeletons.hpp"

namespace workbook {
namespace {

TEST(Merged, GivesTheNewSkeletonWhenNothingWasWritten) {
    EXPECT_EQ(without(steps::merged(base, base, next).text, "#include <cmath>\n"), next);
}

TEST(Merged, PutsABodyBehindTheNewGivenLine) {
    const steps::Merged merged = steps::merged(base, filled(base, "1.1 first", "    return x;\n"), next);
    EXPECT_TRUE(has(merged.text, "int first(int x) {\n    expect_new(x);\n    return x;\n}\n")) << merged.text;
    EXPECT_TRUE(has(merged.text, "// New words.")) << merged.text;
    EXPECT_FALSE(merged.both_changed);
}

TEST(Merged, KeepsHelpersAndIncludes) {
    const std::string helper = "namespace {\n// Mine.\nint helper() { return 1; }\n}\n\n";
    std::string mine = app::replaced(base, "// Step 1.2", helper + "// Step 1.2");
    mine = app::replaced(mine, "#include <cmath>\n", "#include <cmath>\n#include <numeric>\n");
    const std::string merged = steps::merged(base, mine, next).text;
    EXPECT_TRUE(has(merged, helper)) << merged;
    EXPECT_TRUE(has(merged, "#include <numeric>\n")) << merged;
    EXPECT_TRUE(has(merged, "#include <cmath>\n")) << merged;
    EXPECT_FALSE(has(merged, "\"attention.hpp\"")) << merged;
}

TEST(Merged, KeepsTheLearnersWhereBothHaveChangedALine) {
    const std::string mine = app::replaced(base, "// Old words.", "// My words.");
    const steps::Merged merged = steps::merged(base, mine, next);
    EXPECT_TRUE(has(merged.text, "// My words.")) << merged.text;
    EXPECT_TRUE(merged.both_changed);
}

TEST(Merged, BringsNewSteps) {
    const std::string third = "// Step 1.3: third\n\nint third() {\n    throw NotImplemented(\"1.3 third\");\n}\n\n";
    const std::string longer = app::replaced(next, "}  // namespace", third + "}  // namespace");
    // Also where the learner has written at the same place.
    const std::string mine = app::replaced(base, "}\n\n}  // namespace", "}\nint more;\n}  // namespace");
    for (const std::string& file : {filled(base, "1.2 second", "    return 2;\n"), mine}) {
        const steps::Merged merged = steps::merged(base, file, longer);
        EXPECT_TRUE(has(merged.text, third)) << merged.text;
        EXPECT_EQ(merged.new_steps, std::vector<std::string>{"1.3"});
    }
    EXPECT_TRUE(has(steps::merged(base, mine, longer).text, "int more;"));
}

TEST(Merged, KeepsAWrittenStepThatIsGone) {
    const std::string shorter = without(next, "\n" + steps::section_of(next, "1.2"));
    EXPECT_FALSE(has(steps::merged(base, base, shorter).text, "second"));
    const steps::Merged merged = steps::merged(base, filled(base, "1.2 second", "    return 2;\n"), shorter);
    EXPECT_TRUE(has(merged.text, "int second(int x) {\n    expect_old(x);\n    return 2;\n}\n")) << merged.text;
    EXPECT_EQ(merged.gone_steps, std::vector<std::string>{"1.2"});
}

TEST(Merged, LeavesAFileAloneThatHasNothingOfTheSkeleton) {
    EXPECT_EQ(steps::merged(base, "", next).text, "");
    EXPECT_EQ(steps::merged(base, "int all_of_it;\n", next).text, "int all_of_it;\n");
}

TEST(Merged, LosesNoLineOfTheLearners) {
    std::string mine = base;
    int number = 0;
    for (std::size_t at = 0; (at = mine.find('\n', at)) != std::string::npos;) {
        const std::string line = "\n/* mine " + std::to_string(number++) + " */";
        mine.insert(at, line);
        at += line.size() + 1;
    }
    const std::string merged = steps::merged(base, mine, next).text;
    for (int i = 0; i < number; ++i) {
        EXPECT_TRUE(has(merged, "/* mine " + std::to_string(i) + " */")) << i;
    }
}

TEST(Merged, KeepsCarriageReturns) {
    const std::string mine = app::replaced(filled(base, "1.1 first", "    return x;\n"), "\n", "\r\n");
    const std::string merged = steps::merged(base, mine, next).text;
    EXPECT_TRUE(has(merged, "    expect_new(x);\r\n    return x;\r\n}\r\n")) << merged;
    EXPECT_EQ(std::ranges::count(merged, '\n'), std::ranges::count(merged, '\r'));
}

TEST(BeganRatherAs, GoesByTheLinesThatTellThemApart) {
    const std::string mine = filled(base, "1.1 first", "    return x;\n");
    EXPECT_TRUE(steps::began_rather_as(base, next, mine));
    EXPECT_FALSE(steps::began_rather_as(next, base, mine));
    EXPECT_TRUE(steps::began_rather_as(next, base, steps::merged(base, mine, next).text));
    EXPECT_FALSE(steps::began_rather_as(base, next, steps::merged(base, mine, next).text));
    EXPECT_FALSE(steps::began_rather_as(base, next, ""));
    EXPECT_FALSE(steps::began_rather_as(next, base, ""));
    EXPECT_FALSE(steps::began_rather_as(base, base, mine));
}

TEST(WrittenSteps, AreThoseWithOtherCode) {
    EXPECT_TRUE(steps::written_steps(base, base).empty());
    EXPECT_TRUE(steps::written_steps(base, app::replaced(base, "// What to do.", "// I know.")).empty());
    EXPECT_EQ(steps::written_steps(base, filled(base, "1.2 second", "")), std::vector<std::string>{"1.2"});
}

TEST(TakeStep, MovesBodyAndHelpersToTheNewHome) {
    const std::string helpers = "// Mine.\nint helper();\n\n";
    const std::string mine =
        app::replaced(filled(base, "1.2 second", "    return helper();\n"), "int second", helpers + "int second");
    const steps::Taken taken = steps::take_step(base, mine, "1.2", home);
    EXPECT_EQ(taken.rest, base);
    EXPECT_TRUE(has(taken.moved, helpers + "int run(int x) {\n    expect_home(x);\n    return helper();\n}\n\n}  //"))
        << taken.moved;
    EXPECT_TRUE(has(taken.moved, "#include \"tiles.hpp\"\n")) << taken.moved;
}

TEST(TakeStep, LeavesAStepThatAnotherOneCalls) {
    const std::string mine =
        filled(filled(base, "1.2 second", "    return 2;\n"), "1.1 first", "    return second(x);\n");
    const steps::Taken taken = steps::take_step(base, mine, "1.2", home);
    EXPECT_EQ(taken.rest, mine);
    EXPECT_TRUE(taken.moved.empty());
}

}  // namespace
}  // namespace workbook
