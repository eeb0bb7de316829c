#include "tests/mistakes/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/text.hpp"

namespace workbook::edits {

namespace {

Naming naming_in(const std::vector<app::Finding>& findings, const std::string& mistake) {
    Naming naming = findings.empty() ? Naming::nothing : Naming::wrong;
    for (const app::Finding& finding : findings) {
        const bool named = std::ranges::find(finding.mistakes, mistake) != finding.mistakes.end();
        if (named && finding.mistakes.size() == 1) {
            return Naming::right;
        }
        if (named) {
            naming = Naming::listed;
        }
    }
    return naming;
}

std::string naming_text(Naming naming) {
    switch (naming) {
        case Naming::right: return "named";
        case Naming::listed: return "LISTED AMONG OTHERS";
        case Naming::wrong: return "MISNAMED";
        case Naming::nothing: return "NOT NAMED";
    }
    return "";
}

bool changes(const WrongSolution& wrong, const std::string& step) {
    return wrong.steps.empty() || wrong.steps.contains(step);
}

std::vector<std::string> failed_tests(const app::StepResult& step) {
    std::vector<std::string> sentences;
    for (const app::TestResult& test : step.tests) {
        const bool counts = test.test.points > 0;  // others depend on data that may not be there
        if (test.outcome == app::Outcome::failed && counts) {
            sentences.push_back(test.test.sentence());
        }
    }
    return sentences;
}

}  // namespace

Grade graded(const WrongSolution& wrong, const app::PartResult& result) {
    Grade grade{wrong.name, wrong.mistake(), {},
                {},         Naming::nothing, result.obstacle.empty() && result.uncompiled.empty()};
    std::vector<app::Finding> findings;
    for (const app::StepResult& step : result.steps) {
        if (!changes(wrong, step.step)) {
            continue;
        }
        const std::vector<std::string> failed = failed_tests(step);
        grade.failed.insert(grade.failed.end(), failed.begin(), failed.end());
        for (const app::Finding& finding : step.findings) {
            findings.push_back(finding);
            grade.named.push_back(app::joined(finding.mistakes, " or "));
        }
    }
    grade.naming = naming_in(findings, grade.mistake);
    grade.firm = std::ranges::all_of(findings, &app::Finding::is_firm);
    return grade;
}

bool is_satisfying(const Grade& grade) {
    return grade.built && !grade.failed.empty() && grade.naming == Naming::right;
}

std::string line_of(const Grade& grade) {
    if (!grade.built) {
        return grade.name + ": DOES NOT BUILD";
    }
    const std::string failed =
        grade.failed.empty() ? "FAILS NO TEST" : fmt::format("fails {} tests", grade.failed.size());
    const bool plain = grade.naming == Naming::right && grade.named.size() == 1;
    const std::string named = plain || grade.named.empty() ? "" : fmt::format(" [{}]", app::joined(grade.named, "] ["));
    return fmt::format("{}: {}, {}{}{}", grade.name, failed, naming_text(grade.naming), grade.firm ? "" : " with doubt",
                       named);
}

std::string summary_of(const std::vector<Grade>& grades) {
    const auto failing =
        std::ranges::count_if(grades, [](const Grade& grade) { return grade.built && !grade.failed.empty(); });
    const auto named = std::ranges::count(grades, Naming::right, &Grade::naming);
    return fmt::format("{} wrong solutions: {} fail, {} are named.\n", grades.size(), failing, named);
}

}  // namespace workbook::edits
