// The rooms of app/, as its CMakeLists.txt lists them: none includes a header of a room below it, and none is crowded.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/base/text.hpp"

namespace {

namespace fs = std::filesystem;
using workbook::app::lines_of;
using workbook::app::read_file;

const fs::path app_dir = fs::path(WORKBOOK_SOURCE_DIR) / "app";

// Their names, in order.
std::vector<std::string> rooms() {
    static const std::regex listed(R"(#   ([a-z]+)  .*)");
    std::vector<std::string> names;
    std::smatch match;
    for (const std::string& line : lines_of(read_file(app_dir / "CMakeLists.txt"))) {
        if (std::regex_match(line, match, listed)) {
            names.push_back(match[1]);
        }
    }
    return names;
}

std::vector<fs::path> sources() {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(app_dir)) {
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
            files.push_back(entry.path());
        }
    }
    return files;
}

TEST(Rooms, AreTheFoldersOfTheApp) {
    std::vector<std::string> folders;
    for (const fs::directory_entry& entry : fs::directory_iterator(app_dir)) {
        if (entry.is_directory()) {
            folders.push_back(entry.path().filename().string());
        }
    }
    std::vector<std::string> listed = rooms();
    std::ranges::sort(folders);
    std::ranges::sort(listed);
    EXPECT_EQ(folders, listed);
}

TEST(Rooms, IncludeNothingOfARoomBelowThem) {
    static const std::regex include(R"re(#include "app/([a-z]+)/.*)re");
    const std::vector<std::string> order = rooms();
    const auto place = [&](const std::string& room) { return std::ranges::find(order, room) - order.begin(); };
    std::smatch match;
    for (const fs::path& file : sources()) {
        const std::string room = fs::relative(file, app_dir).begin()->string();
        for (const std::string& line : lines_of(read_file(file))) {
            if (std::regex_match(line, match, include)) {
                EXPECT_LE(place(match[1]), place(room)) << file << ": " << line;
            }
        }
    }
}

TEST(Rooms, WithManyFilesHaveRoomsOfTheirOwn) {
    std::map<fs::path, int> files;
    for (const fs::path& file : sources()) {
        ++files[file.parent_path()];
    }
    for (const auto& [folder, count] : files) {
        EXPECT_TRUE(count <= 15 || std::ranges::any_of(fs::directory_iterator(folder),
                                                       [](const auto& entry) { return entry.is_directory(); }))
            << folder << " has " << count << " files and no folders";
    }
}

}  // namespace
