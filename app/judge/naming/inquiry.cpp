#include "app/judge/naming/inquiry.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/base/text.hpp"
#include "app/judge/naming/diagnosis.hpp"
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
                    const std::string pair = mistakes::pair_of(one, other);
                    if (!mistakes::ways_of(pair).empty()) {
                        pairs.insert(pair);
                    }
                }
            }
        }
    }
    return pairs;
}

// Tests with wrong answers that the first finding does not explain.
std::vector<GradedTest> tests_to_search(const StepResult& step) {
    constexpr std::size_t most = 2;  // each of them takes a second or two
    std::vector<GradedTest> tests;
    for (const TestResult& result : step.tests) {
        const bool other = !step.findings.empty() && result.contrary.contains(step.findings.front().mistakes.front());
        if ((other || result.unexplained) && tests.size() < most) {
            tests.push_back(result.test);
        }
    }
    return tests;
}

// Pairs that give all wrong answers of some test. First come those of several tests, then those with a known mistake.
std::vector<std::string> searched(const StepResult& step, const std::vector<std::vector<std::string>>& known,
                                  const RunAgain& run) {
    std::vector<std::string> all_known;
    for (const std::vector<std::string>& mistakes : known) {
        all_known.insert(all_known.end(), mistakes.begin(), mistakes.end());
    }
    RunMode mode;
    mode.inquiry = grading::pairs_option + joined(all_known, ",");
    std::map<std::string, int> found;
    for (const TestResult& result : run(tests_to_search(step), mode)) {
        for (const std::string& pair : result.suspects) {
            ++found[pair];
        }
    }
    std::vector<std::string> pairs;
    pairs.reserve(found.size());
    for (const auto& [pair, count] : found) {
        pairs.push_back(pair);
    }
    const auto has_known = [&](const std::string& pair) {
        return std::ranges::any_of(mistakes::mistakes_in(pair), [&](const mistakes::Mistake* mistake) {
            return std::ranges::find(all_known, mistake->id) != all_known.end();
        });
    };
    std::ranges::stable_sort(pairs, std::greater<>(),
                             [&](const std::string& pair) { return std::pair(found.at(pair), has_known(pair)); });
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
