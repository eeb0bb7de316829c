// Results for machines, files with unusual names, and sanitizers' reports in plain words.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "app/base/text.hpp"
#include "app/run/sanitizer_report.hpp"
#include "app/show/junit_report.hpp"
#include "tests/app/grading.hpp"

namespace workbook::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string wrong_step = solution_with("3", "return query_head / group_size;", "return query_head % group_size;");

TEST(JsonOutput, IsOneDocumentThatSaysWhatTheReportSays) {
    std::ofstream(answer_file()) << wrong_step;
    const RunResult result = check("3", {"--json", "--file", answer_file().string()});
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("schema_version"), 2);
    EXPECT_EQ(document.at("exit_code"), result.exit_code);
    EXPECT_EQ(document.at("passed"), false);
    EXPECT_EQ(document.at("max_points"), 100);
    const json& part = document.at("parts").at(0);
    EXPECT_EQ(part.at("graded_from"), fs::path(answer_file()).lexically_relative(source_folder()).string());
    EXPECT_EQ(part.at("verdict"), "weak");
    EXPECT_EQ(part.at("steps").size(), 4U);
    const json& test = part.at("steps").at(0).at("tests").at(0);
    EXPECT_EQ(test.at("id"), "KvHeadOf.LetsNeighboursShareAHead");
    EXPECT_EQ(test.at("outcome"), "failed");
    EXPECT_EQ(test.at("points"), 0);
    EXPECT_FALSE(test.at("failures").empty());
}

TEST(JsonOutput, SaysWhatAFollowUpIsWorth) {
    std::ofstream(answer_file()) << "int broken =\n";
    for (const std::vector<std::string>& graded :
         {std::vector<std::string>{"--json", "--solution"}, {"--json", "--file", answer_file().string()}}) {
        const json document = json::parse(check("streaming", graded).output);
        EXPECT_EQ(document.at("max_points"), 25);
        EXPECT_EQ(document.at("parts").at(0).at("max_points"), 25);
        EXPECT_EQ(document.at("parts").at(0).at("part"), "streaming");
    }
}

TEST(JsonOutput, SaysThatAFileDoesNotBuild) {
    std::ofstream(answer_file()) << "int broken = \"\xff\";\n";  // the compiler quotes a byte that is no UTF-8
    const json document = json::parse(check("3", {"--json", "--file", answer_file().string()}).output);
    const json& part = document.at("parts").at(0);
    EXPECT_EQ(part.at("obstacle"), "does not build");
    EXPECT_EQ(part.at("points"), 0);
    EXPECT_EQ(part.at("max_points"), 100);
    EXPECT_TRUE(part.at("steps").empty());
    EXPECT_NE(part.at("build_errors").get<std::string>().find("answer.cpp:1"), std::string::npos);
}

// Field names of a JSON object and of what is in it.
void collect_fields(const json& value, std::set<std::string>& fields) {
    for (const auto& [key, inner] : value.items()) {
        if (value.is_object()) {
            fields.insert(key);
        }
        if (inner.is_structured()) {
            collect_fields(inner, fields);
        }
    }
}

TEST(JsonOutput, HasNoFieldThatThePageDoesNotExplain) {
    const std::string page = read_file(source_folder() / "docs" / "json-output.md");
    std::set<std::string> fields;
    collect_fields(json::parse(check("3", {"--json", "--solution"}).output), fields);
    // A function that is not defined, and a step that does not compile.
    std::ofstream(answer_file()) << replaced(solution_with("3", "std::size_t kv_head_of(", "std::size_t another_name("),
                                             "return tokens * ", "return tokens times ");
    const json partial = json::parse(check("3", {"--json", "--file", answer_file().string()}).output);
    EXPECT_FALSE(partial.at("parts").at(0).at("uncompiled").empty());
    EXPECT_FALSE(partial.at("parts").at(0).at("steps").at(0).at("undefined").empty());
    collect_fields(partial, fields);
    EXPECT_GT(fields.size(), 20U);
    for (const std::string& field : fields) {
        EXPECT_NE(page.find("| `" + field + "` |"), std::string::npos) << field;
    }
}

TEST(JunitOutput, IsWellFormedAndCountsItsCases) {
    std::ofstream(answer_file()) << wrong_step;
    const fs::path file = build_folder() / "graded" / "junit.xml";
    EXPECT_EQ(check("3", {"--junit", file.string(), "--file", answer_file().string()}).exit_code, 1);
    const std::string xml = read_file(file);
    std::smatch counts;
    ASSERT_TRUE(std::regex_search(
        xml, counts,
        std::regex(R"x(<testsuites name="[^"]*" tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)">)x")));
    const auto count = [&](const std::string& pattern) {
        const std::regex expression(pattern);
        return std::to_string(std::distance(std::sregex_iterator(xml.begin(), xml.end(), expression), {}));
    };
    EXPECT_EQ(count("<testcase "), counts[1]);
    EXPECT_EQ(count("<failure "), counts[2]);
    EXPECT_EQ(count("<skipped "), counts[3]);

    // Every tag that opens is closed, in order, and nothing else looks like a tag.
    std::vector<std::string> open;
    const std::regex tag(R"x(<(/?)([a-z-]+)((?: [a-z]+="[^"<>&]*(?:&[a-z#0-9]+;[^"<>&]*)*")*)>)x");
    for (std::sregex_iterator at(xml.begin(), xml.end(), tag); at != std::sregex_iterator(); ++at) {
        if ((*at)[1].length() == 0) {
            open.push_back((*at)[2]);
        } else {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), (*at)[2]);
            open.pop_back();
        }
    }
    EXPECT_TRUE(open.empty());
    const std::string rest = std::regex_replace(xml, tag, "");
    EXPECT_EQ(std::count(rest.begin(), rest.end(), '<'), 1) << "the declaration alone";
}

TEST(JunitOutput, EscapesWhatXmlCannotHold) {
    EXPECT_EQ(xml_escaped("a < b && \"c\"\n\x1b[2J\xff"), "a &lt; b &amp;&amp; &quot;c&quot;&#10;?[2J\xef\xbf\xbd");
}

TEST(Harmless, LeavesNothingThatCouldEraseAReport) {
    EXPECT_EQ(harmless("héad\n\tof \x1b[2J\r\x7f\xff"), "héad\n\tof ?[2J??\xef\xbf\xbd");
}

RunResult grade_as(const std::string& name) {
    const fs::path folder = build_folder() / "graded" / "odd names";
    fs::create_directories(folder);
    std::ofstream(folder / name) << solution_with("3", "", "");
    return check("3", {"--file", (folder / name).string()});
}

TEST(FileNames, MayBeUnusual) {
    for (const char* name : {"a b.cpp", "a#b$c%d.cpp", "it's (1) & 2; <3>.cpp", "ünï:cödé.cpp", "back\\slash.cpp"}) {
        EXPECT_EQ(grade_as(name).exit_code, 0) << name;
    }
}

TEST(FileNames, ThatCannotBeCompiledAreRefusedWithTheReason) {
    for (const auto& [name, reason] : {std::pair{"say \"hi\".cpp", "its path has a double quote in it"},
                                       std::pair{"two\nlines.cpp", "its path has a control character in it"}}) {
        const RunResult result = grade_as(name);
        EXPECT_EQ(result.exit_code, 2);
        expect_text(result, reason);
    }
}

// A file of three lines, and what a sanitizer says about it.
class SanitizerFinding : public ::testing::Test {
protected:
    SanitizerFinding() { std::ofstream(file_) << "line one\n    line two\nline three\n"; }
    ~SanitizerFinding() override { fs::remove(file_); }

    [[nodiscard]] std::string of(const std::string& report) const {
        return sanitizer_finding(std::regex_replace(report, std::regex("FILE"), file_.string()),
                                 {{file_, "answer.cpp"}});
    }

    fs::path file_ = fs::temp_directory_path() / "workbook_sanitizer_test.cpp";
};

TEST_F(SanitizerFinding, NamesTheOwnLineThatLedIntoALibrary) {
    EXPECT_EQ(of("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60c at pc 0x56 bp 0x7f sp 0x7f\n"
                 "READ of size 8 at 0x60c0000002f8 thread T0\n"
                 "    #0 0x5630fa in auto xt::maximum(double) /usr/include/xtensor/xmath.hpp:583\n"
                 "    #1 0x5630fa in workbook::softmax_rows(xt::x<double> const&) FILE:2\n"
                 "    #2 0x5630fa in main FILE:3\n\n"
                 "0x60c is located 0 bytes to the right of 120-byte region [0x60c,0x60d)\n"),
              "heap-buffer-overflow: reads 8 bytes directly behind the end of a block of 120 bytes\n"
              "answer.cpp:2\n    line two\n");
}

TEST_F(SanitizerFinding, ReadsTheWordsOfNewerCompilers) {
    EXPECT_NE(of("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60c\n"
                 "WRITE of size 48 at 0x60c thread T0\n    #0 0x56 in f() FILE:3:12\n\n"
                 "0x60c is located 16 bytes after 192-byte region [0x60c,0x60d)\n")
                  .find("writes 48 bytes 16 bytes behind the end of a block of 192 bytes\nanswer.cpp:3"),
              std::string::npos);
}

TEST_F(SanitizerFinding, SaysWhereMemoryWasFreed) {
    EXPECT_EQ(of("==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60c\n"
                 "READ of size 8 at 0x60c thread T0\n    #0 0x56 in f() FILE:3\n\n"
                 "freed by thread T0 here:\n    #0 0x56 in g() FILE:1\n\n"),
              "heap-use-after-free: reads 8 bytes of memory that was freed already\nanswer.cpp:3\n    line three\n"
              "freed before at answer.cpp:1\n    line one\n");
}

TEST_F(SanitizerFinding, RepeatsWhatIsUndefined) {
    EXPECT_EQ(of("FILE:2:9: runtime error: signed integer overflow: 1 + 2 cannot be represented in type 'int'\n"
                 "    #0 0x56 in f() FILE:2\n"),
              "signed integer overflow: 1 + 2 cannot be represented in type 'int'\nanswer.cpp:2\n    line two\n");
}

TEST_F(SanitizerFinding, IsEmptyForOrdinaryOutput) {
    EXPECT_EQ(of("head asked\n"), "");
}

}  // namespace
}  // namespace workbook::app
