#include "app/judge/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "reference/mistakes/catalogue.hpp"

namespace workbook::app {

namespace {

using Tests = std::vector<const TestResult*>;

Tests failed_with_suspects(const StepResult& step) {
    Tests found;
    for (const TestResult& test : step.tests) {
        if (test.outcome == Outcome::failed && !test.suspects.empty()) {
            found.push_back(&test);
        }
    }
    return found;
}

// The tests that each mistake explains.
std::map<std::string, Tests> explained_by(const Tests& tests) {
    std::map<std::string, Tests> explained;
    for (const TestResult* test : tests) {
        for (const std::string& mistake : test->suspects) {
            explained[mistake].push_back(test);
        }
    }
    return explained;
}

// Keeps what `holds` for, unless that is nothing.
void prefer(std::vector<std::string>& mistakes, const std::function<bool(const std::string&)>& holds) {
    if (std::ranges::any_of(mistakes, holds)) {
        std::erase_if(mistakes, [&](const std::string& mistake) { return !holds(mistake); });
    }
}

bool is_refuted(const StepResult& step, const std::string& mistake) {
    return std::ranges::any_of(step.tests, [&](const TestResult& test) { return test.refuted.contains(mistake); });
}

std::string also_text(const std::string& id) {
    const mistakes::Mistake& mistake = mistakes::find(id);
    return fmt::format("or: {} ({})\n", mistake.title, id);
}

}  // namespace

std::vector<Finding> findings_of(const StepResult& step) {
    std::vector<Finding> findings;
    Tests open = failed_with_suspects(step);
    while (!open.empty()) {
        const std::map<std::string, Tests> explained = explained_by(open);
        const auto best =
            std::ranges::max_element(explained, {}, [](const auto& entry) { return entry.second.size(); });
        const Tests tests = best->second;
        Finding finding;
        for (const auto& [mistake, of_mistake] : explained) {
            if (of_mistake == tests) {
                finding.mistakes.push_back(mistake);
            }
        }
        prefer(finding.mistakes, [&](const std::string& mistake) { return !is_refuted(step, mistake); });
        prefer(finding.mistakes, [&](const std::string& mistake) { return mistakes::find(mistake).step == step.step; });
        finding.contradicted = is_refuted(step, finding.mistakes.front());
        for (const TestResult* test : tests) {
            finding.tests.push_back(test->test.sentence());
        }
        std::erase_if(open, [&](const TestResult* test) { return std::ranges::find(tests, test) != tests.end(); });
        findings.push_back(finding);
    }
    return findings;
}

std::vector<std::string> named_in(const std::vector<Finding>& findings) {
    std::vector<std::string> mistakes;
    for (const Finding& finding : findings) {
        mistakes.insert(mistakes.end(), finding.mistakes.begin(), finding.mistakes.end());
    }
    return mistakes;
}

std::string finding_text(const Finding& finding, const Style& style) {
    const mistakes::Mistake& mistake = mistakes::find(finding.mistakes.front());
    const std::string head = finding.contradicted ? style.open("LOOKS LIKE:") : style.bad("MISTAKE:");
    std::string text = fmt::format("{} {} ({})\n", head, mistake.title, mistake.id);
    for (std::size_t i = 1; i < finding.mistakes.size(); ++i) {
        text += also_text(finding.mistakes[i]);
    }
    if (finding.contradicted) {
        return text + fmt::format(
                          "It fits {}, but right answers contradict it: it is made in some cases only, or it is "
                          "another mistake.\n",
                          finding.tests.front());
    }
    if (finding.mistakes.size() > 1) {
        return text + "Each of these gives the same wrong answers as your code.\n";
    }
    return text + fmt::format("{}\nIt hides {}.\nTo fix it: {}\n", mistake.mechanism, mistake.hides, mistake.look);
}

}  // namespace workbook::app
