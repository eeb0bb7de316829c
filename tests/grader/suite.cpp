#include "suite.hpp"

#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "process.hpp"

namespace workbook::grader {

namespace {

using nlohmann::json;

constexpr std::chrono::seconds time_limit{20};
constexpr std::size_t memory_limit = std::size_t{4} << 30;  // bytes

// A file that goes away with the object.
class TemporaryFile {
public:
    TemporaryFile() {
        std::string pattern = (std::filesystem::temp_directory_path() / "workbook-XXXXXX").string();
        const int descriptor = mkstemp(pattern.data());
        if (descriptor < 0) {
            throw std::runtime_error("cannot create a file in " + std::filesystem::temp_directory_path().string());
        }
        close(descriptor);
        path_ = pattern;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string likely_cause(int signal) {
    switch (signal) {
        case SIGSEGV:
        case SIGBUS: return "an index out of range, a dangling view, a missing return, or recursion without end";
        case SIGABRT: return "memory written out of bounds, or std::terminate";
        case SIGFPE: return "an integer divided by zero";
        case SIGKILL: return "too much memory";
        default: return "unknown";
    }
}

// What to say of a run that left no report.
std::string explain(const RunResult& run) {
    if (run.timed_out) {
        return "did not finish within " + std::to_string(time_limit.count()) + " seconds: an endless loop?";
    }
    if (run.signal != 0) {
        return std::string("crashed: ") + strsignal(run.signal) + "\n  likely cause: " + likely_cause(run.signal);
    }
    return "ended before the test did, with exit code " + std::to_string(run.exit_code) + ": does your code call exit?";
}

// GoogleTest's failure text in the grader's form: the message first, then where the test stands.
std::string tidy_failure(const std::string& failure, const std::filesystem::path& source_dir) {
    std::string text = failure;
    const std::string prefix = source_dir.string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
        text.erase(at, prefix.size());
    }
    // "tests/part1/file.cpp:31\nmessage", then perhaps "\nGoogle Test trace:\ntests/part1/file.cpp:30: what was done".
    const std::size_t end_of_place = text.find('\n');
    const std::string place = text.substr(0, end_of_place);
    std::string message = end_of_place == std::string::npos ? "" : text.substr(end_of_place + 1);
    // Each line of the trace begins with a place that only matters to the authors of the test.
    message = std::regex_replace(message, std::regex(R"(\n?Google Test trace:\n)"), "\nin\n");
    message = std::regex_replace(message, std::regex(R"((^|\n)tests/[^\n:]+:\d+: )"), "$1  ");
    if (message.starts_with("Failed\n")) {
        message.erase(0, 7);  // the test says more than GoogleTest does
    }
    while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back())) != 0) {
        message.pop_back();
    }
    return message + "\nthe test: " + place;
}

void read_report(const json& report, const std::filesystem::path& source_dir, TestResult& result) {
    const json& test = report.at("testsuites").at(0).at("testsuite").at(0);
    result.remark = test.value("remark", "");
    result.missing_step = test.value("not_attempted", "");
    if (test.contains("failures")) {
        result.outcome = Outcome::failed;
        for (const json& failure : test.at("failures")) {
            result.failures.push_back(tidy_failure(failure.at("failure"), source_dir));
        }
    } else if (!result.missing_step.empty()) {
        result.outcome = Outcome::not_attempted;
    } else {
        result.outcome = test.at("result") == "SKIPPED" ? Outcome::skipped : Outcome::passed;
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

std::vector<GradedTest> list_tests(const std::filesystem::path& program) {
    const RunResult listed = run({program.string(), "--list-graded"}, {time_limit, 0});
    const json list = listed.succeeded() ? json::parse(listed.output, nullptr, false) : json::array();
    if (!list.is_array() || list.empty()) {
        throw std::runtime_error(program.string() + " lists no graded tests");
    }
    std::vector<GradedTest> tests;
    for (const json& entry : list) {
        tests.push_back({entry.at("suite"), entry.at("name"), entry.at("step"),
                         entry.at("level") == "hire" ? Level::hire : Level::strong_hire, entry.at("points")});
    }
    return tests;
}

TestResult run_test(const std::filesystem::path& program, const GradedTest& test,
                    const std::filesystem::path& source_dir) {
    TestResult result;
    result.test = test;
    const TemporaryFile report;
    const RunResult ended = run({program.string(), "--gtest_filter=" + test.suite + "." + test.name,
                                 "--gtest_output=json:" + report.path().string(), "--quiet"},
                                {time_limit, memory_limit});
    result.output = ended.output;
    std::ifstream file(report.path());
    const json parsed = json::parse(file, nullptr, false);
    if (ended.timed_out || ended.signal != 0 || parsed.is_discarded()) {
        result.failures = {explain(ended)};
        return result;
    }
    read_report(parsed, source_dir, result);
    return result;
}

}  // namespace workbook::grader
