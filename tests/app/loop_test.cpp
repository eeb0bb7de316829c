// What the daily loop keeps and reads: progress, hints, backups, warnings.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/build/warnings.hpp"
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

}  // namespace
}  // namespace workbook::app
