#include "app/judge/naming/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "app/base/text.hpp"
#include "reference/mistakes/suspects.hpp"

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

bool has_wrong_answers(const TestResult& test) {
    return test.outcome == Outcome::failed && (!test.suspects.empty() || test.unexplained);
}

// Whether all mistakes of a suspect are usually made in this step.
bool belongs_to(const std::string& suspect, const std::string& step) {
    return std::ranges::all_of(mistakes::mistakes_in(suspect),
                               [&](const mistakes::Mistake* mistake) { return mistake->step == step; });
}

std::vector<std::string> tests_unexplained_by(const StepResult& step, const std::string& mistake) {
    return sentences_of(step, [&](const TestResult& test) { return test.contrary.contains(mistake); });
}

bool has_one_of(const std::string& suspect, const std::string& step) {
    return std::ranges::any_of(mistakes::mistakes_in(suspect),
                               [&](const mistakes::Mistake* mistake) { return mistake->step == step; });
}

// "the scores are not scaled (scale_missing)"; for a pair, both.
std::string title_of(const std::string& suspect, const std::string& between = ", and ") {
    std::vector<std::string> titles;
    for (const mistakes::Mistake* mistake : mistakes::mistakes_in(suspect)) {
        titles.push_back(fmt::format("{} ({})", mistake->title, mistake->id));
    }
    return joined(titles, between);
}

std::string crash_text(const Finding& finding) {
    const mistakes::Mistake& mistake = mistakes::find(finding.mistakes.front());
    return fmt::format(
        "Your code crashed, and this line reads memory that is not there:\n  {}: {}\n{}\nTo fix it: {}\n"
        "With --sanitize, the report shows where the memory is misread.\n",
        finding.seen.place, finding.seen.signature, mistake.mechanism, mistake.look);
}

// "Suite one", "Suite one and 3 more"
std::string first_of(const std::vector<std::string>& sentences) {
    return sentences.size() == 1 ? sentences.front()
                                 : fmt::format("{} and {} more", sentences.front(), sentences.size() - 1);
}

// What speaks for a mistake, and what against it.
std::string doubt_text(const Finding& finding) {
    const std::size_t failed = finding.tests.size() + finding.unexplained.size();
    const std::string fits = fmt::format("Probably: it explains {} of {} failed {} ({}).\n", finding.tests.size(),
                                         failed, failed == 1 ? "test" : "tests", first_of(finding.tests));
    if (finding.refuting.empty()) {
        return fmt::format("{}Against it: {} fails in another way. There is a second mistake, or it is another one.\n",
                           fits, finding.unexplained.front());
    }
    return fmt::format(
        "{}Against it: {} has right answers that it would get wrong. It is made in some cases only, or it is another "
        "one.\n",
        fits, finding.refuting.front());
}

// What a mistake does, and how to get rid of it.
std::string advice(const mistakes::Mistake& mistake) {
    return fmt::format("{}\nIt hides {}.\nTo fix it: {}\n", mistake.mechanism, mistake.hides, mistake.look);
}

// The one suspect that explains everything.
std::string advice(const std::string& suspect) {
    const std::vector<const mistakes::Mistake*> made = mistakes::mistakes_in(suspect);
    if (made.size() == 1) {
        return advice(*made.front());
    }
    return fmt::format(
        "Neither gives your wrong answers alone; together they do.\nTo fix the first: {}\nTo fix the second: {}\n",
        made.front()->look, made.back()->look);
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
        prefer(finding.mistakes, [&](const std::string& mistake) { return belongs_to(mistake, step.step); });
        finding.refuting = tests_that_refute(step, finding.mistakes.front());
        finding.unexplained = tests_unexplained_by(step, finding.mistakes.front());
        for (const TestResult* test : tests) {
            finding.tests.push_back(test->test.sentence());
        }
        std::erase_if(open, [&](const TestResult* test) { return std::ranges::find(tests, test) != tests.end(); });
        findings.push_back(finding);
    }
    // What right answers speak against is only worth saying when nothing is certain.
    if (std::ranges::any_of(findings, &Finding::is_firm)) {
        std::erase_if(findings, [](const Finding& one) { return !one.refuting.empty(); });
    }
    std::stable_partition(findings.begin(), findings.end(), [](const Finding& one) { return one.is_firm(); });
    return findings;
}

bool is_open(const StepResult& step, const TestResult& test) {
    return has_wrong_answers(test) && std::ranges::none_of(step.findings, [&](const Finding& finding) {
               return finding.is_firm() &&
                      std::ranges::find(finding.tests, test.test.sentence()) != finding.tests.end();
           });
}

Finding finding_of_pairs(const StepResult& step, const std::vector<std::string>& pairs) {
    Finding finding;
    for (const std::string& pair : pairs) {
        if (tests_that_refute(step, pair).empty() && tests_unexplained_by(step, pair).empty()) {
            finding.mistakes.push_back(pair);
        }
    }
    prefer(finding.mistakes, [&](const std::string& pair) { return has_one_of(pair, step.step); });
    prefer(finding.mistakes, [&](const std::string& pair) { return belongs_to(pair, step.step); });
    finding.tests = sentences_of(step, [&](const TestResult& test) { return is_open(step, test); });
    return finding;
}

std::string finding_text(const Finding& finding, const Style& style) {
    const std::vector<std::string>& names = finding.mistakes;
    const bool is_pair = mistakes::mistakes_in(names.front()).size() > 1;
    const std::string label = !finding.is_firm() ? "LOOKS LIKE:" : is_pair ? "TWO MISTAKES:" : "MISTAKE:";
    std::string text = fmt::format("{} {}\n", finding.is_firm() ? style.bad(label) : style.open(label),
                                   title_of(names.front(), is_pair ? ",\nand: " : ""));
    for (std::size_t i = 1; i < std::min(names.size(), most_names); ++i) {
        text += fmt::format("or: {}\n", title_of(names[i]));
    }
    if (!finding.seen.place.empty()) {
        return text + crash_text(finding);
    }
    if (!finding.is_firm()) {
        return text + doubt_text(finding);
    }
    if (names.size() > most_names) {
        text += fmt::format("or one of {} others\n", names.size() - most_names);
    }
    return text +
           (names.size() > 1 ? "Each of these gives the same wrong answers as your code.\n" : advice(names.front()));
}

}  // namespace workbook::app
