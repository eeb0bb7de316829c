// Learners' files when a new version changes their skeletons.
#include "app/steps/exercises/exercises.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/steps/exercises/merge.hpp"
#include "app/steps/progress.hpp"
#include "app/steps/steps.hpp"

namespace workbook {
namespace {

namespace fs = std::filesystem;

// A skeleton of two steps.
const std::string base =
    "// Old words.\n"
    "#include \"attention.hpp\"\n"
    "#include \"tiles.hpp\"\n"
    "\n"
    "#include <cmath>\n"
    "\n"
    "namespace workbook {\n"
    "\n"
    "// Step 1.1: first\n"
    "//\n"
    "// What to do.\n"
    "\n"
    "int first(int x) {\n"
    "    expect_old(x);\n"
    "    throw NotImplemented(\"1.1 first\");\n"
    "}\n"
    "\n"
    "// Step 1.2: second\n"
    "\n"
    "int second(int x) {\n"
    "    expect_old(x);\n"
    "    throw NotImplemented(\"1.2 second\");\n"
    "}\n"
    "\n"
    "}  // namespace workbook\n";

std::string without(std::string text, const std::string& what) {
    return app::replaced(std::move(text), what, "");
}

const std::string next =
    app::replaced(app::replaced(app::replaced(without(base, "#include <cmath>\n\n"), "Old words", "New words"),
                                "attention.hpp", "part1_mha/attention.hpp"),
                  "    expect_old(x);\n    throw NotImplemented(\"1.1 first\");",
                  "    expect_new(x);\n    throw NotImplemented(\"1.1 first\");");

std::string filled(const std::string& file, const std::string& id, const std::string& body) {
    return app::replaced(file, "    throw NotImplemented(\"" + id + "\");\n", body);
}

bool has(const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
}

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

const std::string home =
    "#include \"home.hpp\"\n\nnamespace workbook::home {\n\n// Step home.1: at home\n\nint run(int x) {\n"
    "    expect_home(x);\n    throw NotImplemented(\"home.1 run\");\n}\n\n}  // namespace workbook::home\n";

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

// A project with one part.
class Exercises : public ::testing::Test {
protected:
    Exercises() {
        fs::create_directories(folder_ / "one");
        write_atomically("parts.json",
                         R"({"parts": [{"name": "1", "folder": "one", "tests": "tests", "title": "one"}],)"
                         R"( "follow_ups": [{"name": "home", "folder": "home", "tests": "tests", "title": "at home",)"
                         R"( "formerly": "1.2"}]})");
        solve(base);
        write_atomically("home/solution.cpp", solution_of(home));
    }
    ~Exercises() override { fs::remove_all(folder_); }

    void write_atomically(const std::string& file, const std::string& text) const {
        app::write_atomically(folder_ / file, text);
    }
    [[nodiscard]] std::string read(const std::string& file) const { return app::read_file(folder_ / file); }
    // The version whose skeleton that is.
    void solve(const std::string& skeleton) const { write_atomically("one/solution.cpp", solution_of(skeleton)); }
    [[nodiscard]] app::Project project() const { return {folder_, folder_ / "build"}; }
    [[nodiscard]] std::size_t backups() const {
        const fs::path place = folder_ / ".workbook" / "backups";
        return fs::exists(place) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(place), {})) : 0;
    }

    // A solution with that skeleton.
    static std::string solution_of(const std::string& skeleton) {
        std::string solution;
        for (const std::string& line : app::lines_of(skeleton)) {
            const std::size_t id = line.find('"');
            const bool is_throw = line.starts_with("    throw");
            const std::string marker =
                is_throw ? "    // [" + line.substr(id + 1, line.rfind('"') - id - 1) + "]\n" : "";
            solution += is_throw ? marker + "    return 0;\n" + marker : line + "\n";
        }
        return solution;
    }

    fs::path folder_ = fs::temp_directory_path() / ("workbook_exercises_test_" + std::to_string(getpid()));
};

TEST_F(Exercises, AreMadeWhereTheyAreMissing) {
    EXPECT_EQ(app::make_missing_exercises(project()).size(), 2U);
    EXPECT_EQ(read("one/exercise.cpp"), base);
    write_atomically("one/exercise.cpp", "mine");
    EXPECT_TRUE(app::make_missing_exercises(project()).empty());
    EXPECT_EQ(read("one/exercise.cpp"), "mine");
}

TEST_F(Exercises, AreNotMadeInPlaceOfALinkThatLeadsNowhere) {
    fs::create_symlink("nowhere", folder_ / "one" / "exercise.cpp");
    EXPECT_EQ(app::make_missing_exercises(project()).size(), 1U);
    EXPECT_FALSE(fs::exists(folder_ / "one" / "nowhere"));
}

TEST_F(Exercises, AreReplacedWhenNothingWasWritten) {
    (void)app::make_missing_exercises(project());
    solve(next);
    EXPECT_EQ(app::refresh_exercises(project()).size(), 1U);
    EXPECT_EQ(read("one/exercise.cpp"), next);
    EXPECT_EQ(backups(), 1U);
    EXPECT_TRUE(app::refresh_exercises(project()).empty());
}

TEST_F(Exercises, AreLeftAloneOnceSomethingIsWritten) {
    (void)app::make_missing_exercises(project());
    const std::string mine = filled(base, "1.1 first", "    return x;\n");
    write_atomically("one/exercise.cpp", mine);
    EXPECT_FALSE(app::is_outdated(project(), project().part("1")));
    solve(next);
    EXPECT_TRUE(app::refresh_exercises(project()).empty());
    EXPECT_EQ(read("one/exercise.cpp"), mine);
    EXPECT_TRUE(app::is_outdated(project(), project().part("1")));
    EXPECT_EQ(app::update_exercises(project()).size(), 1U);
    EXPECT_FALSE(app::is_outdated(project(), project().part("1")));
    EXPECT_TRUE(has(read("one/exercise.cpp"), "    expect_new(x);\n    return x;\n"));
    EXPECT_EQ(backups(), 1U);
    EXPECT_TRUE(app::update_exercises(project()).empty());
}

TEST_F(Exercises, OfAnEarlierVersionAreFoundOutByTheirLines) {
    (void)app::make_missing_exercises(project());
    solve(next);
    write_atomically("one/exercise.cpp", "");  // emptied by the learner
    EXPECT_EQ(app::update_exercises(project()).size(), 1U);
    EXPECT_TRUE(app::update_exercises(project()).empty());
}

TEST_F(Exercises, AreNotTakenForEmptyWithoutANote) {
    write_atomically("one/exercise.cpp", "int mine;\n");
    EXPECT_EQ(app::refresh_exercises(project()).size(), 0U);
    EXPECT_EQ(read("one/exercise.cpp"), "int mine;\n");
    solve(next);
    (void)app::refresh_exercises(project());
    (void)app::update_exercises(project());
    EXPECT_TRUE(has(read("one/exercise.cpp"), "int mine;\n"));
}

TEST_F(Exercises, LoseNoStepThatHasMoved) {
    (void)app::make_missing_exercises(project());
    write_atomically("one/exercise.cpp", filled(base, "1.2 second", "    return 2;\n"));
    solve(without(next, "\n" + steps::section_of(next, "1.2")));
    (void)app::update_exercises(project());
    EXPECT_FALSE(has(read("one/exercise.cpp"), "return 2;"));
    EXPECT_TRUE(has(read("home/exercise.cpp"), "    expect_home(x);\n    return 2;\n"));
}

TEST_F(Exercises, KeepAMovedStepWhereTheNewHomeIsTaken) {
    (void)app::make_missing_exercises(project());
    write_atomically("one/exercise.cpp", filled(base, "1.2 second", "    return 2;\n"));
    write_atomically("home/exercise.cpp", "int taken;\n");
    solve(without(next, "\n" + steps::section_of(next, "1.2")));
    const std::vector<std::string> said = app::update_exercises(project());
    EXPECT_TRUE(has(read("one/exercise.cpp"), "return 2;"));
    EXPECT_TRUE(has(read("home/exercise.cpp"), "int taken;\n"));
    EXPECT_TRUE(has(app::joined(said, "\n"), "Copy it to home/exercise.cpp by hand")) << app::joined(said, "\n");
}

TEST_F(Exercises, OfAStepThatHasMovedKeepTheirProgress) {
    write_atomically(".workbook/progress.json",
                     R"({"current_part": 1, "last_hint": {"1.2": 2}, "first_passed": {"1.2": "2026-01-05"}})");
    const app::Progress progress(project());
    EXPECT_EQ(progress.last_hint("home.1"), 2);
    EXPECT_EQ(progress.first_passed("home.1"), "2026-01-05");
}

}  // namespace
}  // namespace workbook
