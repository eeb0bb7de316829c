// The documents of mistakes: what is read from one, and what is refused.
#include "reference/mistakes/documents.hpp"

#include <gtest/gtest.h>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "reference/mistakes/catalogue.hpp"
#include "tests/mistakes/batch.hpp"

namespace workbook::mistakes {
namespace {

const std::string source_dir = WORKBOOK_SOURCE_DIR;
const std::filesystem::path file = "reference/mistakes/1.3/scale/scale_missing.md";

const std::string text = R"(# The scores are not scaled {#mistake_scale_missing}

\htmlinclude[block] docs/figures/svg/mistake_scale_missing.svg

`q·k` is not divided by `sqrt(d)`,
so the softmax is too peaked.

**It hides** with `d = 1`.

**Look for it:** Divide the scores.

**Reported in** [a/b#1](https://github.com/a/b/issues/1),
[c/d.e#23](https://github.com/c/d.e/issues/23).

## Decisions

```
scale = none
shift = none | maximum_of_all, finite_score = -5 | 1e-3
```

## Wrong solutions

```cpp
part1_mha/solution.cpp
```

### twice

The same in another style.

```cpp
tests/variants/part1_spans.cpp
```
)";

TEST(MistakeDocument, SaysWhatTheMistakeIs) {
    const Document document = parse_document(file, text);
    EXPECT_EQ(document.id, "scale_missing");
    EXPECT_EQ(document.step, "1.3");
    EXPECT_EQ(document.title, "the scores are not scaled");
    EXPECT_TRUE(document.has_figure);
    EXPECT_EQ(document.mechanism, "q·k is not divided by sqrt(d), so the softmax is too peaked.");
    EXPECT_EQ(document.hides, "with d = 1");
    EXPECT_EQ(document.look, "Divide the scores.");
    EXPECT_EQ(document.reports, (std::vector<std::string>{"a/b#1", "c/d.e#23"}));
}

TEST(MistakeDocument, MultipliesDecisionsOut) {
    std::vector<std::string> ways;
    for (const auto& way : parse_document(file, text).ways) {
        std::vector<std::string> choices;
        for (const NamedChoice& choice : way) {
            choices.push_back(choice.decision + "=" + choice.choice + "@" + std::to_string(choice.line));
        }
        ways.push_back(app::joined(choices, " "));
    }
    EXPECT_EQ(ways, (std::vector<std::string>{
                        "scale=none@18", "shift=none@19 finite_score=-5@19", "shift=none@19 finite_score=1e-3@19",
                        "shift=maximum_of_all@19 finite_score=-5@19", "shift=maximum_of_all@19 finite_score=1e-3@19"}));
}

TEST(MistakeDocument, NamesWrongSolutionsByTheirHeadings) {
    const std::vector<NamedEdit> edits = parse_document(file, text).edits;
    ASSERT_EQ(edits.size(), 2U);
    EXPECT_EQ(edits[0].name, "scale_missing");
    EXPECT_EQ(edits[0].text, "part1_mha/solution.cpp\n");
    EXPECT_EQ(edits[0].line, 25U);
    EXPECT_EQ(edits[1].name, "scale_missing-twice");
}

TEST(MistakeDocument, MayHaveNoPictureNoReportsAndNoDecisions) {
    const Document document = parse_document(
        "2.1/input_changed.md",
        "# wk is changed {#mistake_input_changed}\n\nIt is.\n\n**It hides** nowhere.\n\n**Look for it:** Look.\n\n"
        "**Outputs do not show it:** a test does.\n\n## Wrong solutions\n\n```cpp\na.cpp\n```\n");
    EXPECT_EQ(document.title, "wk is changed");
    EXPECT_FALSE(document.has_figure);
    EXPECT_TRUE(document.reports.empty());
    EXPECT_TRUE(document.ways.empty());
}

std::string refusal_of(const std::filesystem::path& path, const std::string& document) {
    try {
        (void)parse_document(path, document);
    } catch (const DocumentError& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with(path.string() + ":")) << message;
        return message.substr(path.string().size() + 1);
    }
    return "";
}

// What is said of the text after a replacement.
std::string refusal_with(const std::string& from, const std::string& to) {
    const std::string changed = app::replaced(text, from, to);
    EXPECT_NE(changed, text) << from;
    return refusal_of(file, changed);
}

TEST(MistakeDocument, IsRefusedWithTheLineAtFault) {
    EXPECT_EQ(refusal_with("{#mistake_scale", "{#scale"),
              "1: expected a title that has no brackets and ends with {#mistake_scale_missing}");
    EXPECT_EQ(refusal_with("scores are", "scores [R, S] are"),
              "1: expected a title that has no brackets and ends with {#mistake_scale_missing}");
    EXPECT_EQ(refusal_with("mistake_scale_missing.svg", "scale.svg"),
              "3: expected \\htmlinclude[block] docs/figures/svg/mistake_scale_missing.svg");
    EXPECT_EQ(refusal_with("`d = 1`.", "`d = 1`"), "8: expected a full stop at the end");
    EXPECT_EQ(refusal_with("**Look for it:**", "**Look:**"),
              "10: expected a paragraph that begins with **Look for it:** ");
    EXPECT_EQ(refusal_with("a/b/issues/1)", "a/b/issues/2)"),
              "12: expected links [owner/repo#12](https://github.com/owner/repo/issues/12), with commas between them");
    EXPECT_EQ(refusal_with("## Decisions", "## Choices"),
              "15: expected ## Decisions, or a paragraph that begins with **Outputs do not show it:**");
    EXPECT_EQ(refusal_with("scale = none", "scale: none"),
              "18: expected decisions of the form name = choice, got scale: none");
    EXPECT_EQ(refusal_with("1e-3", "1e-3;"), "19: expected a name or a number, got  1e-3;");
    EXPECT_EQ(refusal_with("### twice", "twice"), "33: a second wrong solution needs a heading, such as ### twice");
    EXPECT_EQ(refusal_with("part1_spans.cpp\n```", "part1_spans.cpp\n"), "33: expected lines between ``` and ```");
}

TEST(MistakeDocument, HasToBeInTheFolderOfAStep) {
    EXPECT_EQ(refusal_of("mistakes/scale_missing.md", text), "1: expected a folder named like a step, such as 1.3");
}

std::vector<Document> all_documents() {
    return read_documents(source_dir + "/reference/mistakes");
}

TEST(MistakeDocuments, AreTheCatalogue) {
    std::vector<std::string> documents;
    for (const Document& document : all_documents()) {
        documents.push_back(document.step + " " + document.id + ": " + document.title);
    }
    std::vector<std::string> mistakes;
    for (const Mistake& mistake : catalogue()) {
        mistakes.push_back(mistake.step + " " + mistake.id + ": " + mistake.title);
    }
    EXPECT_EQ(mistakes, documents);
}

TEST(MistakeDocuments, HaveEditsThatFitTheirSolutions) {
    for (const Document& document : all_documents()) {
        for (const NamedEdit& named : document.edits) {
            const edits::Edit edit = edits::parse_edit(named.text);
            const std::string solution = app::read_file(source_dir / edit.base);
            EXPECT_NO_THROW((void)edits::applied(edit, solution)) << document.file << ":" << named.line;
        }
    }
}

}  // namespace
}  // namespace workbook::mistakes
