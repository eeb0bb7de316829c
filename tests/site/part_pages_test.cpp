// The pages of the parts show every worked body with text around it, and their figures are those of the cost functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <regex>
#include <string>
#include <vector>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/steps/project.hpp"
#include "part2_kv_cache/kv_cache.hpp"
#include "reference/cost_model.hpp"

namespace workbook {
namespace {

// A part or a follow-up, and its page.
struct Part {
    std::string page, folder;
};

void PrintTo(const Part& part, std::ostream* out) {
    *out << part.page;
}

std::vector<Part> parts_with_pages() {
    std::vector<Part> parts;
    for (const app::Part& part : app::Project(WORKBOOK_SOURCE_DIR, WORKBOOK_BUILD_DIR).all()) {
        parts.push_back({part.is_follow_up ? part.name : "part" + part.name, part.folder});
    }
    return parts;
}

std::vector<std::string> lines_of(const std::string& path) {
    const std::string text = app::read_file(std::string(WORKBOOK_SOURCE_DIR) + "/" + path);
    EXPECT_NE(text, "") << path;
    return app::lines_of(text);
}

// The names of the worked bodies of a solution, in its order: "1.2 softmax_rows".
std::vector<std::string> bodies_of(const std::string& solution) {
    const std::regex marker(R"(\s*// \[([a-z0-9]+\.\d .+)\])");
    std::vector<std::string> names;
    for (const std::string& line : lines_of(solution)) {
        std::smatch match;
        if (std::regex_match(line, match, marker) && std::find(names.begin(), names.end(), match[1]) == names.end()) {
            names.push_back(match[1]);
        }
    }
    return names;
}

// A page as a list of what it consists of: "text", a heading, or the name of a body. HTML tags do not count.
std::vector<std::string> outline_of(const std::string& page, const std::string& solution) {
    const std::string snippet = "\\snippet " + solution + " ";
    std::vector<std::string> outline;
    for (const std::string& line : lines_of(page)) {
        if (line.rfind(snippet, 0) == 0) {
            outline.push_back(line.substr(snippet.size()));
        } else if (line.rfind('#', 0) == 0) {
            outline.push_back(line);
        } else if (!line.empty() && line.front() != '<' && (outline.empty() || outline.back() != "text")) {
            outline.emplace_back("text");
        }
    }
    return outline;
}

class PartPages : public testing::TestWithParam<Part> {};

TEST_P(PartPages, ShowEveryWorkedBodyOnceAndInOrder) {
    const std::string solution = GetParam().folder + "/solution.cpp";
    std::vector<std::string> shown;
    for (const std::string& item : outline_of("docs/pages/parts/" + GetParam().page + ".md", solution)) {
        if (item != "text" && item.front() != '#') {
            shown.push_back(item);
        }
    }
    EXPECT_FALSE(shown.empty());
    EXPECT_EQ(shown, bodies_of(solution));
}

TEST_P(PartPages, HaveTextBeforeEveryBodyAndTextInEverySection) {
    const auto outline = outline_of("docs/pages/parts/" + GetParam().page + ".md", GetParam().folder + "/solution.cpp");
    for (std::size_t i = 1; i < outline.size(); ++i) {
        // A heading may follow a heading of the level above.
        const bool goes_deeper = outline[i].starts_with("###") && outline[i - 1].starts_with("## ");
        EXPECT_TRUE(outline[i] == "text" || outline[i - 1] == "text" || goes_deeper)
            << "no text before: " << outline[i];
    }
    EXPECT_EQ(outline.back(), "text");
}

TEST_P(PartPages, HaveASectionForEveryStep) {
    std::string page;
    for (const std::string& line : lines_of("docs/pages/parts/" + GetParam().page + ".md")) {
        page += line + "\n";
    }
    for (const std::string& name : bodies_of(GetParam().folder + "/solution.cpp")) {
        const std::string step = name.substr(0, name.find(' '));
        std::string anchor = "{#step_" + step + "}";
        std::replace(anchor.begin(), anchor.end(), '.', '_');
        EXPECT_NE(page.find("\n## Step " + step + ": "), std::string::npos) << name;
        EXPECT_NE(page.find(anchor), std::string::npos) << anchor;
    }
}

INSTANTIATE_TEST_SUITE_P(Each, PartPages, testing::ValuesIn(parts_with_pages()),
                         [](const auto& part) { return part.param.page; });

// 1234567 as "1,234,567".
std::string with_commas(costs::Count number) {
    std::string text = std::to_string(number);
    for (std::size_t end = text.size(); end > 3; end -= 3) {
        text.insert(end - 3, ",");
    }
    return text;
}

void expect_figures(const std::string& page, const std::vector<costs::Count>& figures) {
    std::string text;
    for (const std::string& line : lines_of(page)) {
        text += line + " ";
    }
    for (const costs::Count figure : figures) {
        EXPECT_NE(text.find(with_commas(figure)), std::string::npos) << page << " does not say " << with_commas(figure);
    }
}

TEST(FiguresOnThePages, AreWhatTheCostFunctionsGive) {
    const reference::ModelShape llama{
        .n_layers = 32, .d_model = 4096, .n_heads = 32, .n_kv_heads = 8, .head_dim = 128, .bytes_per_element = 2};
    expect_figures("docs/pages/parts/part1.md",
                   {costs::projection_multiply_adds(1, 4096, 4096), costs::attention_multiply_adds(1, 4096, 4096),
                    costs::score_elements(1, 32, 4096)});
    expect_figures(
        "docs/pages/parts/part2.md",
        {costs::cache_bytes_per_token(32, 8, 128, 2), costs::tokens_copied_by_concatenation(4096),
         reference::bytes_copied_by_concatenation(llama, 4096), costs::tokens_projected_without_cache(4096)});
    expect_figures("docs/pages/parts/part3.md",
                   {reference::cache_bytes(llama, 4096), costs::expanded_cache_bytes(4096, 32, 32, 128, 2)});
}

}  // namespace
}  // namespace workbook
