// Learners' files when a new version changes their skeletons.
#include "app/steps/exercises/exercises.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/steps/progress.hpp"
#include "app/steps/steps.hpp"
#include "tests/app/skeletons.hpp"

namespace workbook {
namespace {

namespace fs = std::filesystem;

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
