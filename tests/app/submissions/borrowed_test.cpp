// Answers that call worked solutions they are linked with.
#include <gtest/gtest.h>

#include "app/build/calls.hpp"
#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

const char* const listing =
    "RELOCATION RECORDS FOR [.text._ZN8workbook7KVCache5resetEm]:\n"
    "OFFSET           TYPE              VALUE\n"
    "000000000000000f R_X86_64_PC32     .text._ZN8workbook12_GLOBAL__N_16helperEv-0x0000000000000004\n"
    "\n\n"
    "RELOCATION RECORDS FOR [.text.unlikely._ZN8workbook12_GLOBAL__N_16helperEv]:\n"
    "OFFSET           TYPE              VALUE\n"
    "0000000000000001 R_X86_64_PC32     .data.rel.ro+0x0000000000000010\n"
    "\n\n"
    "RELOCATION RECORDS FOR [.data.rel.ro]:\n"
    "OFFSET           TYPE              VALUE\n"
    "0000000000000010 R_X86_64_64       _ZN8workbook7forwardEv\n"
    "0000000000000018 R_X86_64_64       _ZN8workbook7forwardEv+0x0000000000000008\n";

TEST(References, AreReadFromEverySectionAndFollowed) {
    const References references = references_in(listing);
    EXPECT_EQ(references.size(), 3U);
    EXPECT_EQ(references.at(".data.rel.ro"), std::set<std::string>{"_ZN8workbook7forwardEv"});
    EXPECT_TRUE(reached_from(references, "_ZN8workbook7KVCache5resetEm").contains("_ZN8workbook7forwardEv"));
    EXPECT_TRUE(reached_from(references, "_ZN8workbook7forwardEv").empty());
}

TEST(References, NameFunctionsAsSkeletonsDo) {
    EXPECT_EQ(function_of("_ZN8workbook7KVCache5resetEm"), "KVCache::reset");
    EXPECT_EQ(function_of("_ZN8workbook5costs5bytesEm"), "bytes");
    EXPECT_EQ(function_of("_ZN8workbook12_GLOBAL__N_16helperEv"), "");
    EXPECT_EQ(function_of("memcpy"), "memcpy");
}

// Part 1, whose step 1.4 is that; `helpers` stand in front of all steps.
std::string heads_by(const std::string& body, const std::string& helpers) {
    std::string text =
        solution_with("1", "    Tensor<4> out(q.shape());", "    " + body + "\n    Tensor<4> out(q.shape());");
    const std::string opening = "namespace workbook {\n";
    return text.insert(text.find(opening) + opening.size(), helpers);
}

constexpr const char* refusal = "your answer calls attend_groups, which the worked solution of Part 3";

TEST(BorrowedSteps, GetNoPointsAndOtherStepsKeepTheirs) {
    const RunResult result =
        grade("1", heads_by("if (q.size() > 0) { return helper(q, kv, positions); }",
                            "namespace { Tensor<4> helper(const Tensor<4>& q, const KeyValues& kv, "
                            "const Positions& p) { return attend_groups(q, kv, p); } }\n"));
    EXPECT_EQ(result.exit_code, 1);
    expect_text(result, refusal);
    expect_text(result, "0 of 5 tests        0/14 points");
    expect_text(result, "Part 1, 86 of 100 points");
}

TEST(BorrowedSteps, AreFoundBehindAPointerThatIsSetBeforeMain) {
    const RunResult result = grade(
        "1", heads_by("if (!table.empty()) { return table[0](q, kv, positions); }",
                      "namespace { std::vector<Tensor<4> (*)(const Tensor<4>&, const KeyValues&, const Positions&)> "
                      "table{&attend_groups}; }\n"));
    expect_text(result, refusal);
    expect_text(result, "0 of 5 tests        0/14 points");
}

TEST(BorrowedSteps, AreNotThoseThatBuildOnEarlierParts) {
    const RunResult result = grade("3", solution_with("3", "", ""));
    EXPECT_EQ(result.exit_code, 0) << result.output;
}

}  // namespace
}  // namespace workbook::app
