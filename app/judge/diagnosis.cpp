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

constexpr std::size_t most_names = 4;

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

// The sentences of the tests that `holds` for.
std::vector<std::string> sentences_of(const StepResult& step, const std::function<bool(const TestResult&)>& holds) {
    std::vector<std::string> sentences;
    for (const TestResult& test : step.tests) {
        if (holds(test)) {
            sentences.push_back(test.test.sentence());
        }
    }
    return sentences;
}

std::vector<std::string> tests_that_refute(const StepResult& step, const std::string& mistake) {
    return sentences_of(step, [&](const TestResult& test) { return test.refuted.contains(mistake); });
}

std::vector<std::string> tests_unexplained_by(const StepResult& step, const std::string& mistake) {
    return sentences_of(step, [&](const TestResult& test) { return test.contrary.contains(mistake); });
}

std::string also_text(const std::string& id) {
    const mistakes::Mistake& mistake = mistakes::find(id);
    return fmt::format("or: {} ({})\n", mistake.title, id);
}

// What speaks for a mistake, and what against it.
std::string doubt_text(const Finding& finding) {
    if (!finding.seen.place.empty()) {
        return fmt::format(
            "Your code crashed, and this line reads memory that is not there:\n  {}: {}\n{}\nTo fix it: {}\n"
            "With --sanitize, the report shows where the memory is misread.\n",
            finding.seen.place, finding.seen.signature, mistakes::find(finding.mistakes.front()).mechanism,
            mistakes::find(finding.mistakes.front()).look);
    }
    const std::size_t explained = finding.tests.size();
    const std::string fits =
        fmt::format("It explains {} of {} failed {}", explained, explained + finding.unexplained.size(),
                    explained + finding.unexplained.size() == 1 ? "test" : "tests");
    if (finding.refuting.empty()) {
        return fmt::format("{}. {} fails in another way: there is a second mistake, or it is another one.\n", fits,
                           finding.unexplained.front());
    }
    return fmt::format(
        "{}, but {} has right answers that it would get wrong: it is made in some cases only, or it is another one.\n",
        fits, finding.refuting.front());
}

}  // namespace

std::vector<std::string> suspects_of(const StepResult& step) {
    std::set<std::string> suspects;
    for (const TestResult* test : failed_with_suspects(step)) {
        suspects.insert(test->suspects.begin(), test->suspects.end());
    }
    return {suspects.begin(), suspects.end()};
}

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
        prefer(finding.mistakes, [&](const std::string& mistake) { return tests_that_refute(step, mistake).empty(); });
        prefer(finding.mistakes,
               [&](const std::string& mistake) { return tests_unexplained_by(step, mistake).empty(); });
        prefer(finding.mistakes, [&](const std::string& mistake) { return mistakes::find(mistake).step == step.step; });
        finding.refuting = tests_that_refute(step, finding.mistakes.front());
        finding.unexplained = tests_unexplained_by(step, finding.mistakes.front());
        for (const TestResult* test : tests) {
            finding.tests.push_back(test->test.sentence());
        }
        std::erase_if(open, [&](const TestResult* test) { return std::ranges::find(tests, test) != tests.end(); });
        findings.push_back(finding);
    }
    return findings;
}

std::string finding_text(const Finding& finding, const Style& style) {
    const mistakes::Mistake& mistake = mistakes::find(finding.mistakes.front());
    const std::string head = finding.is_firm() ? style.bad("MISTAKE:") : style.open("LOOKS LIKE:");
    std::string text = fmt::format("{} {} ({})\n", head, mistake.title, mistake.id);
    for (std::size_t i = 1; i < std::min(finding.mistakes.size(), most_names); ++i) {
        text += also_text(finding.mistakes[i]);
    }
    if (!finding.is_firm()) {
        return text + doubt_text(finding);
    }
    if (finding.mistakes.size() > most_names) {
        text += fmt::format("or one of {} others\n", finding.mistakes.size() - most_names);
    }
    if (finding.mistakes.size() > 1) {
        return text + "Each of these gives the same wrong answers as your code.\n";
    }
    return text + fmt::format("{}\nIt hides {}.\nTo fix it: {}\n", mistake.mechanism, mistake.hides, mistake.look);
}

}  // namespace workbook::app
