#include "app/show/junit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "app/base/text.hpp"
#include "app/base/version.hpp"

namespace workbook::app {

namespace {

std::string attribute(const std::string& name, const std::string& value) {
    return fmt::format(" {}=\"{}\"", name, xml_escaped(value));
}

std::string element(const std::string& name, const std::string& attributes, const std::string& content) {
    return fmt::format("<{0}{1}>{2}</{0}>\n", name, attributes, content);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// A step that is still empty is no error, and neither is one that waits for such a step.
bool counts_as_error(const TestResult& result) {
    return result.misses_own_step() && result.lack != Lack::empty;
}

std::string result_of(const TestResult& result) {
    switch (result.outcome) {
        case Outcome::passed: return "";
        case Outcome::failed: {
            const std::string text = joined(result.failures, "\n");
            return element("failure", attribute("message", first_line(text)), xml_escaped(text));
        }
        case Outcome::not_attempted:
            return element(counts_as_error(result) ? "error" : "skipped", attribute("message", result.missing_text()),
                           "");
        case Outcome::skipped: return element("skipped", attribute("message", result.remark), "");
    }
    return "";
}

std::string case_of(const TestResult& result) {
    const std::string output = result.output.empty() ? "" : element("system-out", "", xml_escaped(result.output));
    return element("testcase",
                   attribute("classname", "step " + result.test.step) + attribute("name", result.test.sentence()),
                   result_of(result) + output);
}

// What a suite and the whole document count.
struct Counts {
    int tests = 0;
    int failures = 0;
    int errors = 0;
    int skipped = 0;

    void add(const Counts& other) {
        tests += other.tests;
        failures += other.failures;
        errors += other.errors;
        skipped += other.skipped;
    }

    [[nodiscard]] std::string attributes() const {
        return fmt::format(R"( tests="{}" failures="{}" errors="{}" skipped="{}")", tests, failures, errors, skipped);
    }
};

Counts counts_of(const PartResult& part) {
    if (!part.build_errors.empty()) {
        return {1, 0, 1, 0};
    }
    Counts counts;
    for (const StepResult& step : part.steps) {
        const auto errors = static_cast<int>(std::ranges::count_if(step.tests, counts_as_error));
        counts.add({static_cast<int>(step.tests.size()), step.count(Outcome::failed), errors,
                    step.count(Outcome::not_attempted) + step.count(Outcome::skipped) - errors});
    }
    return counts;
}

std::string suite_of(const PartResult& part) {
    const std::string property =
        element("property", attribute("name", "workbook_version") + attribute("value", version()), "");
    std::string cases = element("properties", "", property);
    if (!part.build_errors.empty()) {
        cases +=
            element("testcase", attribute("classname", part.graded_from) + attribute("name", "is ready for the tests"),
                    element("error", attribute("message", "It " + part.obstacle), xml_escaped(part.build_errors)));
    }
    for (const StepResult& step : part.steps) {
        for (const TestResult& result : step.tests) {
            cases += case_of(result);
        }
    }
    const std::string name = part.heading;
    return element("testsuite", attribute("name", name) + counts_of(part).attributes(), "\n" + cases);
}

}  // namespace

std::string xml_escaped(const std::string& text) {
    std::string escaped;
    for (const char c : harmless(text)) {  // XML has no way to write control characters
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\n': escaped += "&#10;"; break;  // kept in attributes too
            case '\t': escaped += "&#9;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

std::string junit_xml(const std::vector<PartResult>& parts) {
    std::string suites;
    Counts counts;
    for (const PartResult& part : parts) {
        suites += suite_of(part);
        counts.add(counts_of(part));
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
           element("testsuites", attribute("name", "attention workbook") + counts.attributes(), "\n" + suites);
}

void write_junit(const std::filesystem::path& file, const std::vector<PartResult>& parts) {
    std::ofstream stream(file);
    stream << junit_xml(parts);
    stream.close();
    if (!stream) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

}  // namespace workbook::app
