// The worked answers: ./workbook solution and ./workbook diff.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "commands.hpp"
#include "compare.hpp"
#include "files.hpp"
#include "own.hpp"
#include "steps.hpp"

namespace workbook::grader {

namespace {

std::string section_text(const std::vector<steps::Section>& sections, const std::string& step) {
    const auto found = std::ranges::find(sections, step, &steps::Section::step);
    return found == sections.end() ? "" : found->text;
}

bool passes(const PartResult& part, const std::string& step) {
    const auto found = std::ranges::find(part.steps, step, &StepResult::step);
    return found != part.steps.end() && found->passed();
}

// The prose under a step's first line, broken to the terminal's width, then its functions as they are.
std::string set_step(const std::string& section, const Style& style) {
    std::istringstream lines(section);
    std::string line;
    std::getline(lines, line);
    std::string text = style.bold(line.substr(line.find("Step"))) + "\n\n";
    std::string prose;
    while (std::getline(lines, line) && line.starts_with("//")) {
        prose += line.substr(2) + " ";
    }
    text += wrapped(prose, "") + line + "\n";
    while (std::getline(lines, line)) {
        text += line + "\n";
    }
    return text;
}

std::vector<steps::Section> sections_in(const std::filesystem::path& file) {
    return steps::sections_of(read_file(file));
}

// A step's functions, without its first line and the prose under it.
std::string code_of(const std::string& section) {
    std::istringstream lines(section);
    std::string code;
    for (std::string line; std::getline(lines, line);) {
        code += code.empty() && (line.empty() || line.starts_with("//")) ? "" : line + "\n";
    }
    return code;
}

// The code of a step in both files, where it differs.
struct Difference {
    std::string step;  // empty for what comes before the first step
    std::string mine;
    std::string worked;
};

std::vector<Difference> differences_in(const Folders& folders, int part) {
    const std::vector<steps::Section> mine = sections_in(exercise_of(folders, part));
    std::vector<Difference> differences;
    for (const steps::Section& worked : sections_in(folders.part(part) / "solution.cpp")) {
        const Difference one{worked.step, code_of(section_text(mine, worked.step)), code_of(worked.text)};
        if (one.mine != one.worked) {
            differences.push_back(one);
        }
    }
    return differences;
}

std::string listed(const std::vector<std::string>& steps) {
    std::string text;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool is_last = i + 1 == steps.size();
        text += (i == 0 ? "" : is_last ? " and " : ", ") + steps[i];
    }
    return text;
}

// Leaves out what does not pass, unless the learner wants to see it. False when something was left out.
bool leave_out_unpassed(std::vector<Difference>& differences, const PartResult& part) {
    const auto is_unpassed = [&](const Difference& one) { return !one.step.empty() && !passes(part, one.step); };
    std::vector<std::string> unpassed;
    for (const Difference& one : differences) {
        if (is_unpassed(one)) {
            unpassed.push_back(one.step);
        }
    }
    if (unpassed.empty()) {
        return true;
    }
    const bool one = unpassed.size() == 1;
    if (confirmed((one ? "Step " : "Steps ") + listed(unpassed) + (one ? " is" : " are") + " not passed yet. Show " +
                  (one ? "its" : "their") + " solution?")) {
        return true;
    }
    std::erase_if(differences, is_unpassed);
    return false;
}

void print_difference(const Difference& one, const std::map<std::string, std::string>& titles, const Style& style) {
    const std::string title =
        one.step.empty() ? "Before the first step" : "Step " + one.step + ": " + titles.at(one.step);
    std::cout << "\n" << style.bold(title) << "\n\n";
    if (one.mine.empty()) {
        std::cout << wrapped("Your file has nothing under a line \"// " + title + "\".", "  ");
        return;
    }
    std::cout << compared(one.mine, one.worked, terminal_size().columns, style);
}

}  // namespace

int solution(const Folders& folders, const std::string& step) {
    expect_step(folders, step);
    const int part = step.front() - '0';
    if (!passes(grade_own(folders, part), step) &&
        !confirmed("Step " + step + " is not passed yet. Show its solution?")) {
        return not_all_passed;
    }
    const std::string text = section_text(sections_in(folders.part(part) / "solution.cpp"), step);
    std::cout << set_step(text, style_of_output());
    return all_passed;
}

int diff(const Folders& folders, int part) {
    const PartResult result = grade_own(folders, part);
    std::vector<Difference> differences = differences_in(folders, part);
    const bool all_shown = leave_out_unpassed(differences, result);
    if (differences.empty()) {
        std::cout << (all_shown ? exercise_name(folders, part) + " is the worked solution, word for word.\n"
                                : "The other steps are as in the worked solution.\n");
        return all_shown ? all_passed : not_all_passed;
    }
    const Style style = style_of_output();
    std::cout << legend(exercise_name(folders, part), folders.part(part).filename().string() + "/solution.cpp",
                        terminal_size().columns, style);
    for (const Difference& one : differences) {
        print_difference(one, titles_of(folders, part), style);
    }
    return all_shown ? all_passed : not_all_passed;
}

}  // namespace workbook::grader
