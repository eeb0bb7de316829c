// What a part's graded tests are worth, read from their sources.
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "app/base/files.hpp"
#include "app/steps/project.hpp"
#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"

namespace workbook::docs {

namespace {

struct Worth {
    int tests = 0;
    std::map<std::string, int> points;  // by level

    [[nodiscard]] int of(const std::string& level) const {
        const auto found = points.find(level);
        return found == points.end() ? 0 : found->second;
    }
};

// Points by step, from every GRADED_TEST(suite, name, "1.2", level, points).
std::map<std::string, Worth> worth_of_steps(const std::filesystem::path& tests) {
    static const std::regex graded(
        R"x(GRADED_TEST\(\s*\w+,\s*\w+,\s*"([a-z0-9]+\.\d)",\s*(hire|strong_hire),\s*(\d+)\))x");
    std::map<std::string, Worth> steps;
    for (const app::Part& part : app::Project(tests.parent_path(), {}).all()) {
        for (const auto& entry : std::filesystem::directory_iterator(tests.parent_path() / part.tests)) {
            const std::string text = app::read_file(entry.path());
            for (std::sregex_iterator match(text.begin(), text.end(), graded), end; match != end; ++match) {
                Worth& worth = steps[(*match)[1]];
                worth.points[(*match)[2]] += std::stoi((*match)[3]);
                ++worth.tests;
            }
        }
    }
    if (steps.empty()) {
        throw std::runtime_error("there are no graded tests in " + tests.string());
    }
    return steps;
}

std::string points_table(const std::filesystem::path& tests) {
    std::vector<std::vector<std::string>> rows{{"step", "tests", "points", "needed for hire", "for strong hire"}};
    for (const auto& [step, worth] : worth_of_steps(tests)) {
        const int needed = worth.of("hire") + worth.of("strong_hire");
        rows.push_back({step, std::to_string(worth.tests), std::to_string(needed), std::to_string(worth.of("hire")),
                        std::to_string(worth.of("strong_hire"))});
    }
    return table(rows);
}

}  // namespace

Blocks points_blocks(const std::string& tests) {
    return {{"points_table", [=] { return points_table(tests); }}};
}

}  // namespace workbook::docs
