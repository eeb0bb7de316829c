// The pages about xtensor show what is compiled: the marked regions of the tests beside this one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace workbook {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::istream& text) {
    Lines lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

Lines lines_of_file(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file.good()) << "cannot read " << path;
    return lines_of(file);
}

Lines lines_of_text(const std::string& text) {
    std::istringstream stream(text);
    return lines_of(stream);
}

// The id in a line that consists of an indent, `before`, the id and `after`.
std::optional<std::string> id_in(const std::string& line, const std::string& before, const std::string& after) {
    const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (!text.starts_with(before) || !text.ends_with(after) || text.size() <= before.size() + after.size()) {
        return std::nullopt;
    }
    const std::string id = text.substr(before.size(), text.size() - before.size() - after.size());
    const bool is_id = id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
    return is_id ? std::optional<std::string>(id) : std::nullopt;
}

// Takes the indent of the first line away from every line.
Lines dedented(Lines lines) {
    const std::size_t indent = lines.empty() ? 0 : std::min(lines[0].find_first_not_of(' '), lines[0].size());
    for (std::string& line : lines) {
        line.erase(0, std::min(indent, line.size()));
    }
    return lines;
}

// The marked regions of a source file, dedented, by id.
std::map<std::string, Lines> regions_of(const Lines& source) {
    std::map<std::string, Lines> regions;
    std::optional<std::string> open;
    for (const std::string& line : source) {
        const std::optional<std::string> marker = id_in(line, "// [", "]");
        if (marker) {
            const bool pairs_up = open ? open == marker : !regions.contains(*marker);
            EXPECT_TRUE(pairs_up) << "marker [" << *marker << "] is nested, unpaired or used twice";
            open = open ? std::nullopt : marker;
        } else if (open) {
            regions[*open].push_back(line);
        }
    }
    for (auto& [id, lines] : regions) {
        lines = dedented(lines);
    }
    return regions;
}

// What a page gets wrong about the regions it should show: one line of text for each fault.
Lines faults_of(const Lines& page, const std::map<std::string, Lines>& regions) {
    Lines faults;
    std::set<std::string> shown;
    for (std::size_t i = 0; i < page.size(); ++i) {
        if (page[i] != "```cpp") {
            continue;
        }
        const std::string where = "line " + std::to_string(i + 1);
        const auto id = i == 0 ? std::nullopt : id_in(page[i - 1], "<!-- snippet: ", " -->");
        Lines snippet;
        while (++i < page.size() && page[i] != "```") {
            snippet.push_back(page[i]);
        }
        if (!id || !regions.contains(*id)) {
            faults.push_back(where + ": code of no region");
        } else if (snippet != regions.at(*id)) {
            faults.push_back(where + ": differs from region [" + *id + "]");
        }
        shown.insert(id.value_or(""));
    }
    for (const auto& [id, lines] : regions) {
        if (!shown.contains(id)) {
            faults.push_back("region [" + id + "] is not shown");
        }
    }
    return faults;
}

void expect_shown(const std::string& page, const std::string& source, std::size_t at_least) {
    const std::string root = WORKBOOK_SOURCE_DIR;
    const auto regions = regions_of(lines_of_file(root + "/" + source));
    EXPECT_GE(regions.size(), at_least);
    EXPECT_EQ(faults_of(lines_of_file(root + "/" + page), regions), Lines{});
}

TEST(NumpyToXtensorPage, ShowsExactlyWhatIsCompiled) {
    expect_shown("docs/numpy-to-xtensor.md", "tests/site/numpy_to_xtensor_test.cpp", 15);
}

TEST(XtensorTrapsPage, ShowsExactlyWhatIsCompiled) {
    expect_shown("docs/xtensor-traps.md", "tests/site/xtensor_traps_test.cpp", 24);
}

TEST(SnippetPage, IsAtFaultWhenASnippetDiffers) {
    const Lines page = lines_of_text("<!-- snippet: a -->\n```cpp\nx = 1;\n```\n");
    EXPECT_EQ(faults_of(page, {{"a", {"x = 1;"}}}), Lines{});
    EXPECT_EQ(faults_of(page, {{"a", {"x = 2;"}}}), Lines{"line 2: differs from region [a]"});
}

TEST(SnippetPage, IsAtFaultWhenCodeHasNoRegion) {
    EXPECT_EQ(faults_of(lines_of_text("```cpp\nx = 1;\n```\n"), {}), Lines{"line 1: code of no region"});
}

TEST(SnippetPage, IsAtFaultWhenARegionIsNotShown) {
    EXPECT_EQ(faults_of({}, {{"a", {"x = 1;"}}}), Lines{"region [a] is not shown"});
}

}  // namespace
}  // namespace workbook
