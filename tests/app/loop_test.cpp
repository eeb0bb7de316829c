// The parts of the daily loop: progress, hints, backups, the screen of watch.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/build/warnings.hpp"
#include "app/show/compare.hpp"
#include "app/show/screen.hpp"
#include "app/steps/exercises/backup.hpp"
#include "app/steps/hints.hpp"
#include "app/steps/progress.hpp"

namespace workbook::app {
namespace {

namespace fs = std::filesystem;

// A folder of its own, as a project would have it.
class InAFolder : public ::testing::Test {
protected:
    InAFolder() {
        fs::create_directories(folder_ / ".workbook");
        fs::copy_file(fs::path(WORKBOOK_SOURCE_DIR) / "parts.json", folder_ / "parts.json");
    }
    ~InAFolder() override { fs::remove_all(folder_); }

    void write_progress(const std::string& text) const { std::ofstream(progress_) << text; }

    [[nodiscard]] Project project() const { return {folder_, folder_ / "build"}; }

    fs::path folder_ = fs::temp_directory_path() / ("workbook_loop_test_" + std::to_string(getpid()));
    fs::path progress_ = folder_ / ".workbook" / "progress.json";
};

using ProgressFile = InAFolder;

StepResult step_with(const std::string& number, Outcome outcome, const std::string& failure = "") {
    StepResult step{number, "a step", {}};
    TestResult result;
    result.test = {"Suite", "DoesThis", number, Level::hire, 5};
    result.outcome = outcome;
    if (!failure.empty()) {
        result.failures = {failure};
    }
    step.tests.push_back(result);
    return step;
}

TEST_F(ProgressFile, IsNotNeeded) {
    const Progress progress(project());
    EXPECT_EQ(progress.current_part(), "1");
    EXPECT_FALSE(progress.carries());
    EXPECT_EQ(progress.last_hint("1.3"), 0);
    EXPECT_FALSE(fs::exists(progress_));
}

TEST_F(ProgressFile, KeepsWhatWasSaved) {
    Progress progress(project());
    progress.start(project().part("2"), true);
    progress.set_last_hint("1.3", 2);
    progress.save();
    const Progress again(project());
    EXPECT_EQ(again.current_part(), "2");
    EXPECT_TRUE(again.carries());
    EXPECT_EQ(again.last_hint("1.3"), 2);
}

TEST_F(ProgressFile, OfEarlierVersionsIsRead) {
    write_progress(R"({"current_part": 2, "carry": true, "last_hint": {"1.3": 1}})");
    const Progress progress(project());
    EXPECT_EQ(progress.current_part(), "2");
    EXPECT_TRUE(progress.carries());
    EXPECT_EQ(progress.last_hint("1.3"), 1);
}

TEST_F(ProgressFile, KeepsTheFirstDayOfAPass) {
    Progress progress(project());
    EXPECT_TRUE(progress.note_passed({"1.1"}, "2026-01-05"));
    EXPECT_FALSE(progress.note_passed({"1.1"}, "2026-02-06"));
    EXPECT_FALSE(progress.note_passed({}, "2026-02-06"));
    EXPECT_EQ(progress.first_passed("1.1"), "2026-01-05");
    EXPECT_FALSE(progress.first_passed("1.2").has_value());
}

TEST_F(ProgressFile, KeepsFieldsOfOtherVersions) {
    write_progress(R"({"current_part": 3, "from_elsewhere": [1, 2]})");
    Progress progress(project());
    progress.start(project().part("1"), false);
    progress.save();
    EXPECT_NE(read_file(progress_).find("from_elsewhere"), std::string::npos);
}

TEST_F(ProgressFile, IsBegunAnewWhenDamaged) {
    const std::vector<std::string> damaged{"",
                                           "{\"current_part\": 2",
                                           "[]",
                                           R"({"current_part": 7})",
                                           R"({"carry": "yes"})",
                                           R"({"last_hint": {"1.3": -1}})",
                                           R"({"last_hint": 3})",
                                           R"({"first_passed": {"1.1": 5}})"};
    for (const std::string& text : damaged) {
        write_progress(text);
        testing::internal::CaptureStderr();
        const Progress progress(project());
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << text << ": " << said;
        EXPECT_EQ(progress.current_part(), "1") << text;
        EXPECT_FALSE(fs::exists(progress_)) << text;
        EXPECT_EQ(read_file(progress_.string() + ".broken"), text);
    }
}

using Backup = InAFolder;

TEST_F(Backup, IsKeptBeforeTheFileIsReplaced) {
    const fs::path file = folder_ / "exercise.cpp";
    write_atomically(file, "my work\n");
    const fs::path kept = replace_with_backup(file, "empty\n", folder_ / "backups" / "part1.cpp");
    EXPECT_EQ(read_file(kept), "my work\n");
    EXPECT_EQ(read_file(file), "empty\n");
}

TEST_F(Backup, NeverOverwritesAnotherOne) {
    const fs::path file = folder_ / "exercise.cpp";
    const fs::path backup = folder_ / "backups" / "part1.cpp";
    std::set<fs::path> kept;
    for (const std::string text : {"first", "second", "third"}) {
        write_atomically(file, text);
        const fs::path place = replace_with_backup(file, "empty", backup);
        EXPECT_EQ(read_file(place), text);
        kept.insert(place);
    }
    EXPECT_EQ(kept.size(), 3U);
    EXPECT_EQ(read_file(backup), "first");
}

TEST_F(Backup, LeavesTheFileAloneWhenItCannotBeMade) {
    const fs::path file = folder_ / "exercise.cpp";
    write_atomically(file, "my work\n");
    write_atomically(folder_ / "backups", "a file where a folder should be");
    EXPECT_THROW((void)replace_with_backup(file, "empty\n", folder_ / "backups" / "part1.cpp"), std::exception);
    EXPECT_EQ(read_file(file), "my work\n");
}

TEST_F(Backup, FollowsALinkToTheFile) {
    write_atomically(folder_ / "elsewhere.cpp", "my work\n");
    fs::create_symlink(folder_ / "elsewhere.cpp", folder_ / "exercise.cpp");
    (void)replace_with_backup(folder_ / "exercise.cpp", "empty\n", folder_ / "backups" / "part1.cpp");
    EXPECT_TRUE(fs::is_symlink(folder_ / "exercise.cpp"));
    EXPECT_EQ(read_file(folder_ / "elsewhere.cpp"), "empty\n");
}

const std::string hints_file =
    "# Hints\n\nThree hints.\n\n## 1.1 first\n\n### Hint 1\n\nThink.\n\n### Hint 2\n\nThink\nmore:\n\n```cpp\n## not a "
    "heading\n```\n\n## 1.2 second\n\n### Hint 1\n\nOther.\n";

TEST(Hints, BelongToTheirSteps) {
    auto hints = hints_in(hints_file);
    EXPECT_EQ(hints["1.1"], (std::vector<std::string>{"Think.\n", "Think\nmore:\n\n```cpp\n## not a heading\n```\n"}));
    EXPECT_EQ(hints["1.2"], (std::vector<std::string>{"Other.\n"}));
}

TEST(Hints, AreThreeForEveryStep) {
    const Project project(WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR);
    for (const Part& part : project.all()) {
        auto hints = hints_in(read_file(project.source / part.folder / "hints.md"));
        for (const auto& [step, title] : project.step_titles(part)) {
            EXPECT_EQ(hints[step].size(), 3U) << step;
        }
    }
}

TEST(PlainText, BreaksParagraphsAnewAndIndentsCode) {
    EXPECT_EQ(plain_text("Think\nmore:\n\n```cpp\nint  x;\n```\n\n1. one\n2. two\n   lines\n", "  "),
              "  Think more:\n\n    int  x;\n\n  1. one\n  2. two lines\n");
}

TEST(PlainText, IndentsBrokenListItems) {
    const std::string words = "word word word word word word word word word word word word word word word word";
    EXPECT_EQ(plain_text("- " + words + "\n", ""),
              "- word word word word word word word word word word word word word word word\n  word\n");
}

TEST(Wrapped, CountsColumnsAndNotBytes) {
    const Style colour{true, true};
    const std::string word = colour.bad("dddddddddd") + " ";  // 10 columns, 19 bytes
    std::string text;
    for (int i = 0; i < 7; ++i) {
        text += word;
    }
    EXPECT_EQ(wrapped(text, "").find('\n'), wrapped(text, "").size() - 1);
    EXPECT_EQ(columns_of("✓ ✗ · [T]"), 9U);
    EXPECT_EQ(padded(colour.good("ab"), 4), colour.good("ab") + "  ");
    EXPECT_EQ(clipped(colour.bold("abcdef"), 3), "\x1b[1mabc\x1b[0m");
}

TEST(Style, WithoutColourChangesNothing) {
    EXPECT_EQ(Style{}.bad("text"), "text");
}

TEST(Compared, GivesBothVersionsOfALine) {
    EXPECT_EQ(compared("a\nmine\nz\n", "a\nworked\nz\n", 80, {}), " a\n-mine\n+worked\n z\n");
    const std::string wide = compared("a\nmine\n", "a\nworked\n", 160, {});
    EXPECT_NE(wide.find("mine"), std::string::npos);
    EXPECT_EQ(std::count(wide.begin(), wide.end(), '\n'), 2) << wide;
}

using Warnings = InAFolder;

TEST_F(Warnings, AreShownAgainForTheSameContents) {
    const fs::path place = folder_ / "mine_1.cpp";
    const std::string compiled = "[1/2] Building CXX object tests/x.dir/graded/mine_1.cpp.o\n";
    write_atomically(place, "fingerprint 1\n");
    EXPECT_EQ(warnings_about(place, compiled, "unused\n"), "unused\n");
    EXPECT_EQ(warnings_about(place, "ninja: no work to do.\n", ""), "unused\n");
    write_atomically(place, "fingerprint 2\n");
    EXPECT_EQ(warnings_about(place, "ninja: no work to do.\n", ""), "");
    EXPECT_EQ(warnings_about(place, compiled, ""), "");
    EXPECT_EQ(warnings_about(place, "ninja: no work to do.\n", ""), "");
}

PartResult part_of(const std::vector<StepResult>& steps) {
    PartResult part;
    part.title = "a part";
    part.graded_from = "part1/exercise.cpp";
    part.steps = steps;
    return part;
}

std::string text_of(const View& view, const Size& size = {}) {
    std::string text;
    for (const std::string& line : screen_of(view, size, {false, true})) {
        text += line + "\n";
    }
    return text;
}

TEST(Screen, ShowsTheFailureOfTheFocusAndAllStates) {
    const std::vector<StepResult> steps{step_with("1.1", Outcome::passed),
                                        step_with("1.2", Outcome::failed, "expected 1\ngot 2"),
                                        step_with("1.3", Outcome::not_attempted)};
    const std::string text = text_of({part_of(steps), steps, "1.2", "", "", false, "graded"});
    EXPECT_NE(text.find(" ✓ 1.1   [✗ 1.2]   · 1.3"), std::string::npos) << text;
    EXPECT_NE(text.find("FAILED Suite does this\n  expected 1\n  got 2\n"), std::string::npos) << text;
}

TEST(Screen, SaysThatTheFocusPassesAndStaysThere) {
    const std::vector<StepResult> steps{step_with("1.1", Outcome::passed), step_with("1.2", Outcome::failed, "bad")};
    const std::string text = text_of({part_of(steps), steps, "1.1", "", "", false, ""});
    EXPECT_NE(text.find("Press n for step 1.2"), std::string::npos) << text;
    EXPECT_EQ(text.find("bad"), std::string::npos) << text;
}

TEST(Screen, ShowsWhatDoesNotCompileBesideTheFocus) {
    std::vector<StepResult> steps{step_with("1.1", Outcome::not_attempted), step_with("1.2", Outcome::not_attempted)};
    steps[1].compiles = false;
    PartResult part = part_of(steps);
    part.uncompiled = {{"1.2", "part1/exercise.cpp", "part1/exercise.cpp:7:1: error: bad\n"}};
    for (const std::string focus : {"1.1", "1.2"}) {
        const std::string text = text_of({part, steps, focus, "", "", false, ""});
        const std::string says =
            "Step 1.2 does not compile; the rest is graded without it:\n  part1/exercise.cpp:7:1: error: bad";
        EXPECT_NE(text.find(says), std::string::npos) << text;
        EXPECT_EQ(text.find(says), text.rfind(says)) << text;
    }
}

TEST(Screen, NamesAFunctionThatIsNotDefined) {
    std::vector<StepResult> steps{step_with("1.1", Outcome::not_attempted)};
    steps[0].tests[0].lack = Lack::undefined;
    steps[0].undefined = {{"first", "int first(int x)", {"part1/exercise.cpp:3", "int frist(int x)"}}};
    const std::string text = text_of({part_of(steps), steps, "1.1", "", "", false, ""});
    EXPECT_NE(text.find("NOT DEFINED, or with other parameters: first"), std::string::npos) << text;
    EXPECT_NE(text.find("int frist(int x)"), std::string::npos) << text;
    EXPECT_EQ(text.find("To fill in"), std::string::npos) << text;
    EXPECT_EQ(text.find("not attempted"), std::string::npos) << text;
}

TEST(Screen, FitsTheWindowWithAHintInIt) {
    std::string failure;
    for (int i = 0; i < 100; ++i) {
        failure += "line " + std::to_string(i) + std::string(200, 'x') + "\n";
    }
    const std::vector<StepResult> steps{step_with("1.1", Outcome::failed, failure)};
    for (const Size size : {Size{24, 80}, Size{10, 30}, Size{50, 200}, Size{5, 20}}) {
        const auto lines = screen_of({part_of(steps), steps, "1.1", "the hint\n", "", false, ""}, size, {true, true});
        EXPECT_LT(lines.size(), size.rows);
        for (const std::string& line : lines) {
            EXPECT_LE(columns_of(line), size.columns) << line;
        }
    }
    EXPECT_NE(text_of({part_of(steps), steps, "1.1", "the hint\n", "", false, ""}).find("the hint"), std::string::npos);
}

TEST(NextOpen, GoesRound) {
    const std::vector<StepResult> steps{step_with("1.1", Outcome::failed), step_with("1.2", Outcome::passed),
                                        step_with("1.3", Outcome::not_attempted)};
    EXPECT_EQ(next_open(steps, ""), "1.1");
    EXPECT_EQ(next_open(steps, "1.1"), "1.3");
    EXPECT_EQ(next_open(steps, "1.3"), "1.1");
    EXPECT_EQ(next_open({steps[0]}, "1.1"), "");
    EXPECT_EQ(next_open({steps[1]}, ""), "");
}

}  // namespace
}  // namespace workbook::app
