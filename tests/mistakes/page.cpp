#include "tests/mistakes/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "app/base/text.hpp"

namespace workbook::edits {

namespace {

struct Step {
    std::string name;
    std::vector<std::string> tests;  // as sentences
};

// The steps in the order of their tests.
std::vector<Step> steps_of(const std::vector<app::GradedTest>& tests) {
    std::vector<Step> steps;
    for (const app::GradedTest& test : tests) {
        if (test.points == 0) {  // it depends on data that may not be there
            continue;
        }
        auto step = std::ranges::find(steps, test.step, &Step::name);
        if (step == steps.end()) {
            step = steps.insert(steps.end(), {test.step, {}});
        }
        step->tests.push_back(test.sentence());
    }
    std::ranges::stable_sort(steps, {}, &Step::name);
    return steps;
}

bool fails(const Grade& grade, const std::string& test) {
    return std::ranges::find(grade.failed, test) != grade.failed.end();
}

std::vector<std::size_t> failed_numbers(const Grade& grade, const Step& step) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < step.tests.size(); ++i) {
        if (fails(grade, step.tests[i])) {
            numbers.push_back(i + 1);
        }
    }
    return numbers;
}

void write_step(std::ostream& page, const Step& step, const std::vector<Grade>& grades) {
    std::string anchor = step.name;
    std::ranges::replace(anchor, '.', '_');
    page << "\n## Step " << step.name << " {#mistakes_by_test_" << anchor
         << "}\n\n|  | test | catches |\n|---|---|---|\n";
    for (std::size_t i = 0; i < step.tests.size(); ++i) {
        const auto catches = [&](const Grade& grade) { return fails(grade, step.tests[i]); };
        page << fmt::format("| {} | {} | {} |\n", i + 1, step.tests[i], std::ranges::count_if(grades, catches));
    }
    page << "\n| wrong solution | fails |\n|---|---|\n";
    for (const Grade& grade : grades) {
        if (const std::vector<std::size_t> numbers = failed_numbers(grade, step); !numbers.empty()) {
            page << fmt::format("| {} | {} |\n", grade.name, ranges_of(numbers));
        }
    }
}

}  // namespace

std::string ranges_of(const std::vector<std::size_t>& numbers) {
    std::vector<std::string> ranges;
    for (auto begin = numbers.begin(); begin != numbers.end();) {
        auto end = begin + 1;
        while (end != numbers.end() && *end == *(end - 1) + 1) {
            ++end;
        }
        ranges.push_back(end - begin == 1 ? std::to_string(*begin) : fmt::format("{}–{}", *begin, *(end - 1)));
        begin = end;
    }
    return app::joined(ranges, ", ");
}

std::string page_of(const std::vector<Grade>& grades, const std::vector<app::GradedTest>& tests) {
    std::ostringstream page;
    page << "# Which test catches which mistake {#mistakes_by_test}\n\n"
         << "Written by `./workbook test --full`, which builds and grades wrong solutions for every mistake of the "
            "catalogue.\n"
         << "The tests of each step are numbered, and a wrong solution has the numbers of those that it fails.\n\n"
         << summary_of(grades) << "\nOnly one test catches these:\n\n";
    for (const Grade& grade : grades) {
        if (grade.failed.size() == 1) {
            page << "- " << grade.name << "\n";
        }
    }
    page << "\n\\tableofcontents{HTML:2}\n";
    for (const Step& step : steps_of(tests)) {
        write_step(page, step, grades);
    }
    return page.str();
}

}  // namespace workbook::edits
