#include "app/judge/inquiry.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "app/base/text.hpp"
#include "app/judge/diagnosis.hpp"
#include "app/results/protocol.hpp"
#include "reference/mistakes/suspects.hpp"

namespace workbook::app {

namespace {

// Asks every answer of the step what it says of some suspects.
void question(StepResult& step, const std::vector<std::string>& suspects, const RunAgain& run) {
    std::vector<GradedTest> tests;
    for (const TestResult& result : step.tests) {
        tests.push_back(result.test);
    }
    RunMode mode;
    mode.inquiry = grading::question_option + joined(suspects, ",");
    const std::vector<TestResult> questioned = run(tests, mode);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        step.tests[i].refuted.insert(questioned[i].refuted.begin(), questioned[i].refuted.end());
        step.tests[i].contrary.insert(questioned[i].contrary.begin(), questioned[i].contrary.end());
    }
}

// Mistakes that the findings name and that answers can show.
std::vector<std::vector<std::string>> named_by(const std::vector<Finding>& findings) {
    std::vector<std::vector<std::string>> named;
    for (const Finding& finding : findings) {
        std::vector<std::string> shown = finding.mistakes;
        std::erase_if(shown, [](const std::string& mistake) { return mistakes::find(mistake).ways.empty(); });
        shown.resize(std::min(shown.size(), most_names));
        named.push_back(shown);
    }
    return named;
}

// A mistake of one finding, with one of another.
std::set<std::string> crossed(const std::vector<std::vector<std::string>>& named) {
    std::set<std::string> pairs;
    for (std::size_t i = 0; i < named.size(); ++i) {
        for (std::size_t j = i + 1; j < named.size(); ++j) {
            for (const std::string& one : named[i]) {
                for (const std::string& other : named[j]) {
                    pairs.insert(mistakes::pair_of(one, other));
                }
            }
        }
    }
    return pairs;
}

// Pairs that give all wrong answers of a test that no mistake gives alone; those of several tests first.
std::vector<std::string> searched(const StepResult& step, const std::vector<std::vector<std::string>>& known,
                                  const RunAgain& run) {
    constexpr std::size_t most_tests = 2;  // each of them takes a second
    std::vector<GradedTest> tests;
    for (const TestResult& result : step.tests) {
        if (result.unexplained && tests.size() < most_tests) {
            tests.push_back(result.test);
        }
    }
    RunMode mode;
    mode.inquiry = grading::pairs_option;
    for (const std::vector<std::string>& mistakes : known) {
        mode.inquiry += joined(mistakes, ",") + ",";
    }
    std::map<std::string, int> found;
    for (const TestResult& result : run(tests, mode)) {
        for (const std::string& pair : result.suspects) {
            ++found[pair];
        }
    }
    std::vector<std::string> pairs;
    for (const auto& [pair, count] : found) {
        pairs.push_back(pair);
    }
    std::ranges::stable_sort(pairs, std::greater<>(), [&](const std::string& pair) { return found.at(pair); });
    return pairs;
}

// What explains all answers as two mistakes at once; keeps what was seen by other means than answers.
void pair_up(StepResult& step, const RunAgain& run) {
    constexpr std::size_t most_pairs = 24;
    const std::vector<std::vector<std::string>> known = named_by(step.findings);
    const std::set<std::string> of_findings = crossed(known);
    std::vector<std::string> pairs(of_findings.begin(), of_findings.end());
    const std::vector<std::string> of_search = searched(step, known, run);
    pairs.insert(pairs.end(), of_search.begin(), of_search.end());
    pairs.resize(std::min(pairs.size(), most_pairs));
    if (pairs.empty()) {
        return;
    }
    question(step, pairs, run);
    const Finding finding = finding_of_pairs(step, pairs);
    if (!finding.mistakes.empty()) {
        std::erase_if(step.findings, [](const Finding& one) { return !one.is_firm(); });
        step.findings.insert(step.findings.begin(), finding);
    }
}

}  // namespace

void diagnose(StepResult& step, const RunAgain& run) {
    if (const std::vector<std::string> suspects = suspects_of(step); !suspects.empty()) {
        question(step, suspects, run);
    }
    step.findings = findings_of(step);
    if (std::ranges::any_of(step.tests, [&](const TestResult& test) { return is_open(step, test); })) {
        pair_up(step, run);
    }
}

}  // namespace workbook::app
