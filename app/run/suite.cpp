#include "app/run/suite.hpp"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "app/base/files.hpp"
#include "app/base/pattern.hpp"
#include "app/base/system/process.hpp"
#include "app/base/text.hpp"
#include "app/results/protocol.hpp"

namespace workbook::app {

namespace {

using Json = nlohmann::ordered_json;  // as reports are: either kind takes seconds to compile

std::string random_token() {
    std::random_device random;
    std::string token;
    for (int i = 0; i < 4; ++i) {
        token += fmt::format("{:x}", random());
    }
    return token;
}

// What a program left at the place of its report, which may be anything: nothing, a pipe, an enormous file.
Json report_at(const std::filesystem::path& path) {
    constexpr std::uintmax_t most = 8 << 20;
    std::error_code error;
    const bool is_file = std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::regular;
    if (!is_file || std::filesystem::file_size(path, error) > most) {
        return {};
    }
    return Json::parse(harmless(read_file(path)), nullptr, false);
}

// GoogleTest's failure text in the grader's form. The places in it only matter to the authors of the test.
std::string tidy_failure(const std::string& failure, const std::filesystem::path& source_dir) {
    // "tests/part1/file.cpp:31\nmessage", then perhaps "\nGoogle Test trace:\ntests/part1/file.cpp:30: what was done".
    const std::string text = replaced(failure, source_dir.string() + "/", "");
    std::string message = text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
    static const Pattern trace(R"(\n?Google Test trace:\n)");
    static const Pattern place(R"((^|\n)tests/[^\n:]+:\d+: )");
    message = place.replaced(trace.replaced(message, "\nin\n"), "$1  ");
    if (message.starts_with("Failed\n")) {
        message.erase(0, 7);  // the test says more than GoogleTest does
    }
    while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back())) != 0) {
        message.pop_back();
    }
    return harmless(message);
}

// The entry of the one test. Empty unless the test itself made the report, which the token shows.
Json signed_test(const Json& report, const std::string& token) {
    const Json::json_pointer place("/testsuites/0/testsuite/0");
    const bool there = report.is_object() && report.contains(place);
    return there && report.at(place).value(grading::token_property, "") == token ? report.at(place) : Json();
}

std::set<std::string> items_of(const std::string& list) {
    const std::vector<std::string> items = split(list, ',');
    return {items.begin(), items.end()};
}

Level level_named(const std::string& name) {
    return name == "hire" ? Level::hire : Level::strong_hire;
}

void read_report(const Json& test, const std::filesystem::path& source_dir, TestResult& result) {
    result.remark = test.value("remark", "");
    std::istringstream missing(test.value(grading::missing_property, ""));
    missing >> result.missing_step >> result.missing_function;
    result.lack = test.contains(grading::undefined_property) ? Lack::undefined : Lack::empty;
    result.compared = std::atoi(test.value(grading::compared_property, "0").c_str());
    result.suspects = items_of(test.value(grading::suspects_property, ""));
    result.refuted = items_of(test.value(grading::refuted_property, ""));
    result.contrary = items_of(test.value(grading::contrary_property, ""));
    result.unexplained = test.contains(grading::unexplained_property);
    if (test.contains("failures")) {
        result.outcome = Outcome::failed;
        for (const Json& failure : test.at("failures")) {
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

std::vector<GradedTest> list_tests(const std::filesystem::path& program, const std::filesystem::path& source_dir) {
    const RunResult listed = run({program.string(), grading::list_option}, {});
    const Json list = listed.succeeded() ? Json::parse(listed.output, nullptr, false) : Json::array();
    if (!list.is_array() || list.empty()) {
        throw std::runtime_error(program.string() + " lists no graded tests");
    }
    std::vector<GradedTest> tests;
    for (const Json& entry : list) {
        tests.push_back({entry.at("suite"), entry.at("name"), entry.at("step"), level_named(entry.at("level")),
                         entry.at("points"), replaced(entry.at("place"), source_dir.string() + "/", "")});
    }
    return tests;
}

std::string trouble_at_start(const std::filesystem::path& program, const RunMode& mode) {
    const TemporaryFolder folder;
    const RunResult started =
        run({program.string(), grading::list_option}, test_limits(mode), {}, {"", folder.path(), test_environment()});
    const bool lists_tests = started.output.find("\"suite\"") != std::string::npos;
    return started.succeeded() && lists_tests ? "" : explain(started, mode);
}

namespace {

TestResult run_present_test(const std::filesystem::path& program, const GradedTest& test,
                            const std::filesystem::path& source_dir, const RunMode& mode) {
    TestResult result;
    result.test = test;
    const TemporaryFolder folder;
    const std::filesystem::path report = folder.path() / "report.json";
    const std::filesystem::path work = folder.path() / "work";
    std::filesystem::create_directory(work);
    const std::string token = random_token();
    std::vector<std::string> command{program.string(), fmt::format("--gtest_filter={}.{}", test.suite, test.name),
                                     fmt::format("--gtest_output=json:{}", report.string()), grading::graded_option};
    if (!mode.inquiry.empty()) {
        command.insert(command.end() - 1, mode.inquiry);
    }
    const RunResult ended = run(command, test_limits(mode), {}, {token + "\n", work, test_environment()});
    result.output = harmless(ended.output);
    result.out_of_time = ended.timed_out || ended.out_of_processor_time;
    result.crashed = ended.signal != 0 && !result.out_of_time;
    const Json found = report_at(report);
    const Json entry = signed_test(found, token);
    if (ended.succeeded() && entry.empty() && !found.empty()) {
        result.failures = {
            "the test's report is not signed: your code wrote one itself, or read what is on standard input"};
    } else if (!ended.ended_by_itself() || entry.empty()) {
        result.failures = {explain(ended, mode)};
    } else {
        read_report(entry, source_dir, result);
    }
    return result;
}

}  // namespace

TestResult run_test(const std::filesystem::path& program, const GradedTest& test,
                    const std::filesystem::path& source_dir, const RunMode& mode) {
    try {
        return run_present_test(program, test, source_dir, mode);
    } catch (const std::runtime_error&) {
        if (std::filesystem::exists(program)) {
            throw;
        }
        TestResult result;  // a test that runs beside this one may have done it at any moment
        result.test = test;
        result.failures = {"the program with the tests is not there any more: your code has removed it"};
        return result;
    }
}

}  // namespace workbook::app
