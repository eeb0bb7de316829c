#include "app/judge/naming/crash.hpp"

#include <algorithm>

#include "app/base/files.hpp"
#include "app/base/pattern.hpp"
#include "app/base/text.hpp"
#include "app/steps/source_text.hpp"
#include "app/steps/steps.hpp"

namespace workbook::app {

namespace {

const char* const lazy_reduction = "lazy_reduction";

bool is_lazy(const std::string& line) {
    static const Pattern kept_dims(R"(\b(amax|amin|sum|mean|prod)\s*(<[^>]*>)?\(.*\bkeep_dims\b)");
    static const Pattern kept_as_auto(R"(\bauto\b[^=;]*=\s*(xt::)?(amax|amin|sum|mean|prod)\s*(<[^>]*>)?\()");
    const bool is_computed = line.find("immediate") != std::string::npos || line.find("eval(") != std::string::npos;
    return !is_computed && (kept_dims.search(line) || kept_as_auto.search(line));
}

bool is_named(const StepResult& step, const std::string& mistake) {
    return std::ranges::any_of(step.findings, [&](const Finding& finding) {
        return std::ranges::find(finding.mistakes, mistake) != finding.mistakes.end();
    });
}

}  // namespace

Found lazy_reduction_in(const std::string& text, const std::string& name, const std::string& step) {
    const std::string section = steps::section_of(text, step);
    const std::size_t begin = text.find(section);
    std::size_t place = begin;
    for (const std::string& line : lines_of(section)) {
        const std::string code = line.substr(0, line.find("//"));
        if (is_lazy(code)) {
            const std::size_t first = code.find_first_not_of(' ');
            return {name + ":" + std::to_string(steps::line_at(text, place)),
                    harmless(code.substr(first, code.find_last_not_of(' ') + 1 - first))};
        }
        place += line.size() + 1;
    }
    return {};
}

void explain_crashes(const GradedFiles& files, PartResult& result) {
    for (StepResult& step : result.steps) {
        const auto crashed = std::ranges::find(step.tests, true, &TestResult::crashed);
        if (crashed == step.tests.end() || is_named(step, lazy_reduction)) {
            continue;
        }
        const Found found = lazy_reduction_in(read_file(files.file_of(files.part())), files.graded_from(), step.step);
        if (!found.place.empty()) {
            step.findings.insert(step.findings.begin(), {{lazy_reduction}, {crashed->test.sentence()}, {}, {}, found});
        }
    }
}

}  // namespace workbook::app
