#include "suite.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "process.hpp"
#include "protocol.hpp"
#include "text.hpp"

namespace workbook::grader {

namespace {

using nlohmann::json;

// A folder that goes away with the object, and what is in it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "workbook-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("cannot create a folder in " + std::filesystem::temp_directory_path().string());
        }
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string random_token() {
    std::random_device random;
    std::ostringstream text;
    for (int i = 0; i < 4; ++i) {
        text << std::hex << random();
    }
    return text.str();
}

// What a program left at the place of its report, which may be anything: nothing, a pipe, an enormous file.
json report_at(const std::filesystem::path& path) {
    constexpr std::uintmax_t most = 8 << 20;
    std::error_code error;
    const bool is_file = std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::regular;
    if (!is_file || std::filesystem::file_size(path, error) > most) {
        return {};
    }
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return json::parse(harmless(text.str()), nullptr, false);
}

std::string without_folder(std::string text, const std::filesystem::path& source_dir) {
    const std::string prefix = source_dir.string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
        text.erase(at, prefix.size());
    }
    return text;
}

// GoogleTest's failure text in the grader's form. The places in it only matter to the authors of the test.
std::string tidy_failure(const std::string& failure, const std::filesystem::path& source_dir) {
    // "tests/part1/file.cpp:31\nmessage", then perhaps "\nGoogle Test trace:\ntests/part1/file.cpp:30: what was done".
    const std::string text = without_folder(failure, source_dir);
    std::string message = text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
    message = std::regex_replace(message, std::regex(R"(\n?Google Test trace:\n)"), "\nin\n");
    message = std::regex_replace(message, std::regex(R"((^|\n)tests/[^\n:]+:\d+: )"), "$1  ");
    if (message.starts_with("Failed\n")) {
        message.erase(0, 7);  // the test says more than GoogleTest does
    }
    while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back())) != 0) {
        message.pop_back();
    }
    return harmless(message);
}

// The entry of the one test. Empty unless the test itself made the report, which the token shows.
json signed_test(const json& report, const std::string& token) {
    const json::json_pointer place("/testsuites/0/testsuite/0");
    const bool there = report.is_object() && report.contains(place);
    return there && report.at(place).value(grading::token_property, "") == token ? report.at(place) : json();
}

std::set<std::string> items_of(const std::string& list) {
    std::set<std::string> items;
    std::istringstream stream(list);
    for (std::string item; std::getline(stream, item, ',');) {
        items.insert(item);
    }
    return items;
}

Level level_named(const std::string& name) {
    return name == "hire" ? Level::hire : name == "bonus" ? Level::bonus : Level::strong_hire;
}

void read_report(const json& test, const std::filesystem::path& source_dir, TestResult& result) {
    result.remark = test.value("remark", "");
    result.missing_step = test.value("not_attempted", "");
    result.suspects = items_of(test.value(grading::suspects_property, ""));
    result.refuted = items_of(test.value(grading::refuted_property, ""));
    if (test.contains("failures")) {
        result.outcome = Outcome::failed;
        for (const json& failure : test.at("failures")) {
            result.failures.push_back(tidy_failure(failure.at("failure"), source_dir));
        }
    } else if (!result.missing_step.empty()) {
        result.outcome = Outcome::not_attempted;
    } else if (test.at("result") != "SKIPPED") {
        result.outcome = Outcome::passed;
    } else if (result.test.points == 0) {
        result.outcome = Outcome::skipped;
    } else {
        result.failures = {"your code skipped the test"};
    }
}

}  // namespace

std::string words_of(const std::string& camel_case) {
    static const std::map<std::string, std::string> as_written{{"nan", "NaN"}, {"t", "T"}};
    std::vector<std::string> words;
    for (const char c : camel_case) {
        if (words.empty() || std::isupper(static_cast<unsigned char>(c)) != 0) {
            words.emplace_back();
        }
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    std::string text;
    for (const std::string& word : words) {
        const auto special = as_written.find(word);
        text += (text.empty() ? "" : " ") + (special == as_written.end() ? word : special->second);
    }
    return text;
}

std::string GradedTest::sentence() const {
    return suite + " " + words_of(name);
}

std::vector<GradedTest> list_tests(const std::filesystem::path& program, const std::filesystem::path& source_dir) {
    const RunResult listed = run({program.string(), grading::list_option}, {});
    const json list = listed.succeeded() ? json::parse(listed.output, nullptr, false) : json::array();
    if (!list.is_array() || list.empty()) {
        throw std::runtime_error(program.string() + " lists no graded tests");
    }
    std::vector<GradedTest> tests;
    for (const json& entry : list) {
        tests.push_back({entry.at("suite"), entry.at("name"), entry.at("step"), level_named(entry.at("level")),
                         entry.at("points"), without_folder(entry.at("place"), source_dir)});
    }
    return tests;
}

std::string level_text(Level level) {
    switch (level) {
        case Level::hire: return "hire";
        case Level::strong_hire: return "strong hire";
        case Level::bonus: return "bonus";
    }
    return "";
}

std::string trouble_at_start(const std::filesystem::path& program, const RunMode& mode) {
    const TemporaryFolder folder;
    const RunResult started =
        run({program.string(), grading::list_option}, test_limits(mode), {}, {"", folder.path(), test_environment()});
    const bool lists_tests = started.output.find("\"suite\"") != std::string::npos;
    return started.succeeded() && lists_tests ? "" : explain(started, mode);
}

TestResult run_test(const std::filesystem::path& program, const GradedTest& test,
                    const std::filesystem::path& source_dir, const RunMode& mode) {
    TestResult result;
    result.test = test;
    const TemporaryFolder folder;
    const std::filesystem::path report = folder.path() / "report.json";
    const std::filesystem::path work = folder.path() / "work";
    std::filesystem::create_directory(work);
    const std::string token = random_token();
    const RunResult ended = run(
        {program.string(), "--gtest_filter=" + test.suite + "." + test.name, "--gtest_output=json:" + report.string(),
         grading::question_option + joined(mode.questioned, ","), grading::graded_option},
        test_limits(mode), {}, {token + "\n", work, test_environment()});
    result.output = harmless(ended.output);
    result.out_of_time = ended.timed_out || ended.out_of_processor_time;
    const json found = report_at(report);
    const json entry = signed_test(found, token);
    if (ended.succeeded() && entry.empty() && !found.empty()) {
        result.failures = {
            "the test's report is not signed: your code wrote one itself, or read what is on standard input"};
    } else if (ended.timed_out || ended.signal != 0 || entry.empty()) {
        result.failures = {explain(ended, mode)};
    } else {
        read_report(entry, source_dir, result);
    }
    return result;
}
}  // namespace workbook::grader
