#include "app/show/json_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/base/version.hpp"

namespace workbook::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 2;

std::string text_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed: return "passed";
        case Outcome::failed: return "failed";
        case Outcome::not_attempted: return "not attempted";
        case Outcome::skipped: return "skipped";
    }
    return "";
}

std::string outcome_of(const TestResult& result) {
    if (result.outcome != Outcome::not_attempted || result.lack == Lack::empty) {
        return text_of(result.outcome);
    }
    return result.lack == Lack::undefined ? "not defined" : "does not compile";
}

Json json_of(const TestResult& result) {
    return {{"id", result.test.suite + "." + result.test.name},
            {"name", result.test.sentence()},
            {"level", level_text(result.test.level)},
            {"outcome", outcome_of(result)},
            {"place", result.test.place},
            {"points", result.outcome == Outcome::passed ? result.test.points : 0},
            {"max_points", result.test.points},
            {"missing_step", result.missing()},
            {"failures", result.failures},
            {"remark", result.remark},
            {"output", result.output}};
}

Json json_of(const StepResult& step) {
    Json tests = Json::array();
    for (const TestResult& result : step.tests) {
        tests.push_back(json_of(result));
    }
    Json findings = Json::array();
    for (const Finding& finding : step.findings) {
        findings.push_back(
            {{"mistakes", finding.mistakes}, {"contradicted", !finding.is_firm()}, {"tests", finding.tests}});
    }
    Json undefined = Json::array();
    for (const UndefinedFunction& function : step.undefined) {
        undefined.push_back({{"function", function.name},
                             {"signature", function.signature},
                             {"resembling", function.resembling.signature},
                             {"resembling_place", function.resembling.place}});
    }
    return {{"step", step.step},
            {"title", step.title},
            {"attempted", step.attempted()},
            {"compiles", step.compiles},
            {"passed", step.passed()},
            {"points", step.points()},
            {"max_points", step.max_points()},
            {"undefined", undefined},
            {"findings", findings},
            {"tests", tests}};
}

// Rating and reason; none where only some of the part was graded.
std::pair<std::string, std::string> verdict_on(const PartResult& part) {
    if (!part.build_errors.empty()) {
        return {rating_text(Rating::weak), "it " + part.obstacle};
    }
    if (!part.scope.empty()) {
        return {};
    }
    const Verdict verdict = verdict_of(part.steps);
    return {rating_text(verdict.rating), verdict.reason};
}

// Parts have been numbers since the first version of the document; follow-ups have names.
Json number_or_name(const std::string& part) {
    return part.find_first_not_of("0123456789") == std::string::npos ? Json(std::stoi(part)) : Json(part);
}

Json json_of(const PartResult& part) {
    Json steps = Json::array();
    for (const StepResult& step : part.steps) {
        steps.push_back(json_of(step));
    }
    Json uncompiled = Json::array();
    for (const UncompiledStep& one : part.uncompiled) {
        uncompiled.push_back({{"step", one.step}, {"file", one.file}, {"errors", one.errors}});
    }
    const auto [verdict, reason] = verdict_on(part);
    return {{"part", number_or_name(part.part)},
            {"title", part.title},
            {"graded_from", part.graded_from},
            {"others_from", part.others_from},
            {"passed", part.passed()},
            {"points", part.points()},
            {"max_points", part.worth},
            {"scope", part.scope},
            {"verdict", verdict},
            {"reason", reason},
            {"obstacle", part.obstacle},
            {"build_errors", part.build_errors},
            {"uncompiled", uncompiled},
            {"warnings", part.warnings},
            {"steps", steps}};
}

}  // namespace

void print_json(std::ostream& out, const std::vector<PartResult>& parts, const std::string& next_step) {
    Json list = Json::array();
    int points = 0;
    int max_points = 0;
    for (const PartResult& part : parts) {
        list.push_back(json_of(part));
        points += part.points();
        max_points += part.worth;
    }
    const bool passed = std::ranges::all_of(parts, &PartResult::passed);
    const Json document{{"schema_version", schema_version},
                        {"workbook_version", version()},
                        {"passed", passed},
                        {"exit_code", passed ? 0 : 1},
                        {"points", points},
                        {"max_points", max_points},
                        {"next_step", next_step},
                        {"parts", list}};
    // Compilers quote source lines, which may hold bytes that are no UTF-8.
    out << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace workbook::app
