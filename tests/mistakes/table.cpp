#include "table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "catalogue.hpp"
#include "text.hpp"

namespace workbook::edits {

namespace {

bool in_one_group(const std::vector<std::string>& mistakes) {
    return std::ranges::any_of(mistakes::indistinguishable(), [&](const mistakes::Group& group) {
        return std::ranges::all_of(mistakes, [&](const std::string& mistake) {
            return std::ranges::find(group.mistakes, mistake) != group.mistakes.end();
        });
    });
}

Naming naming_in(const std::vector<grader::Finding>& findings, const std::string& mistake) {
    Naming naming = findings.empty() ? Naming::nothing : Naming::wrong;
    for (const grader::Finding& finding : findings) {
        std::vector<std::string> with_mistake = finding.mistakes;
        with_mistake.push_back(mistake);
        const bool named = std::ranges::find(finding.mistakes, mistake) != finding.mistakes.end();
        if (named && finding.mistakes.size() == 1) {
            return Naming::right;
        }
        if (in_one_group(with_mistake)) {
            naming = Naming::in_group;
        } else if (named && naming != Naming::in_group) {
            naming = Naming::listed;
        }
    }
    return naming;
}

std::string naming_text(Naming naming) {
    switch (naming) {
        case Naming::right: return "named";
        case Naming::in_group: return "in a group";
        case Naming::listed: return "LISTED AMONG OTHERS";
        case Naming::wrong: return "MISNAMED";
        case Naming::nothing: return "NOT NAMED";
    }
    return "";
}

bool changes(const WrongSolution& wrong, const std::string& step) {
    return wrong.steps.empty() || wrong.steps.contains(step);
}

std::vector<std::string> failed_tests(const grader::StepResult& step) {
    std::vector<std::string> sentences;
    for (const grader::TestResult& test : step.tests) {
        const bool counts = test.test.points > 0;  // others depend on data that may not be there
        if (test.outcome == grader::Outcome::failed && counts) {
            sentences.push_back(test.test.sentence());
        }
    }
    return sentences;
}

// The tests by how many mistakes they catch, with the mistakes.
std::map<std::string, std::vector<std::string>> catches_of(const std::vector<Grade>& grades) {
    std::map<std::string, std::vector<std::string>> catches;
    for (const Grade& grade : grades) {
        for (const std::string& test : grade.failed) {
            catches[test].push_back(grade.name);
        }
    }
    return catches;
}

}  // namespace

Grade graded(const WrongSolution& wrong, const grader::PartResult& result) {
    Grade grade{wrong.name, wrong.mistake(), {}, {}, Naming::nothing, result.obstacle.empty()};
    std::vector<grader::Finding> findings;
    for (const grader::StepResult& step : result.steps) {
        if (!changes(wrong, step.step)) {
            continue;
        }
        const std::vector<std::string> failed = failed_tests(step);
        grade.failed.insert(grade.failed.end(), failed.begin(), failed.end());
        for (const grader::Finding& finding : step.findings) {
            findings.push_back(finding);
            grade.named.push_back(grader::joined(finding.mistakes, " or "));
        }
    }
    grade.naming = naming_in(findings, grade.mistake);
    return grade;
}

std::vector<std::string> failures_elsewhere(const std::vector<WrongSolution>& batch, const grader::PartResult& result) {
    std::vector<std::string> failures;
    for (const grader::StepResult& step : result.steps) {
        const auto changes_it = [&](const WrongSolution& wrong) { return changes(wrong, step.step); };
        if (std::ranges::none_of(batch, changes_it)) {
            const std::vector<std::string> failed = failed_tests(step);
            failures.insert(failures.end(), failed.begin(), failed.end());
        }
    }
    return failures;
}

bool is_satisfying(const Grade& grade) {
    return grade.built && !grade.failed.empty() && (grade.naming == Naming::right || grade.naming == Naming::in_group);
}

std::string line_of(const Grade& grade) {
    if (!grade.built) {
        return grade.name + ": DOES NOT BUILD";
    }
    const std::string failed =
        grade.failed.empty() ? "FAILS NO TEST" : "fails " + std::to_string(grade.failed.size()) + " tests";
    const bool plain = grade.naming == Naming::right && grade.named.size() == 1;
    return grade.name + ": " + failed + ", " + naming_text(grade.naming) +
           (plain || grade.named.empty() ? "" : " [" + grader::joined(grade.named, "] [") + "]");
}

std::string summary_of(const std::vector<Grade>& grades) {
    const auto count = [&](auto holds) { return std::to_string(std::ranges::count_if(grades, holds)); };
    return std::to_string(grades.size()) +
           " wrong solutions: " + count([](const Grade& grade) { return grade.built && !grade.failed.empty(); }) +
           " fail, " + count([](const Grade& grade) { return grade.naming == Naming::right; }) + " are named, " +
           count([](const Grade& grade) { return grade.naming == Naming::in_group; }) +
           " belong to a group that outputs cannot tell apart\n";
}

std::string table_of(const std::vector<Grade>& grades) {
    std::ostringstream page;
    page << "# Which test catches which mistake {#mistakes_by_test}\n\n"
         << "Generated by `./workbook test --full`, which builds a wrong solution for every mistake of the catalogue "
            "and grades it. "
         << summary_of(grades) << "\n## Mistakes\n\n| mistake | caught by |\n|---|---|\n";
    std::vector<std::string> by_one;
    for (const Grade& grade : grades) {
        page << "| " << grade.name << " | " << grader::joined(grade.failed, "; ") << " |\n";
        if (grade.failed.size() == 1) {
            by_one.push_back(grade.name);
        }
    }
    page << "\n## Mistakes that only one test catches\n\n" << grader::joined(by_one, ", ") << "\n";
    page << "\n## Tests\n\n| test | mistakes it catches |\n|---|---|\n";
    for (const auto& [test, mistakes] : catches_of(grades)) {
        page << "| " << test << " | " << grader::joined(mistakes, ", ") << " |\n";
    }
    return page.str();
}

}  // namespace workbook::edits
