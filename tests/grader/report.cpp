#include "report.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "text.hpp"

namespace workbook::grader {

namespace {

constexpr std::size_t width = 80;

}  // namespace

std::string wrapped(const std::string& text, const std::string& indent) {
    std::istringstream words(text);
    std::string lines;
    std::string line = indent;
    for (std::string word; words >> word;) {
        if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
            lines += line + "\n";
            line = indent;
        }
        line += (line.size() == indent.size() ? "" : " ") + word;
    }
    return lines + line + "\n";
}

namespace {

std::string indented(const std::string& text, const std::string& indent) {
    std::istringstream lines(text);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        // Long lines are prose, which may be broken; short ones may be laid out in columns.
        out += indent.size() + line.size() > width && line.find("  ") == std::string::npos ? wrapped(line, indent)
                                                                                           : indent + line + "\n";
    }
    return out;
}

// The first lines of what the tested code printed.
std::string printed_text(const std::string& output) {
    constexpr int most = 10;
    constexpr std::size_t longest = 200;
    std::istringstream lines(output);
    std::string text;
    int n = 0;
    for (std::string line; std::getline(lines, line); ++n) {
        text += n < most ? shortened(line, longest) + "\n" : "";
    }
    return n > most ? text + "(and more)\n" : text;
}

void print_failure(std::ostream& out, const TestResult& result) {
    const bool strong = result.test.level == Level::strong_hire;
    out << wrapped("FAILED " + result.test.sentence() + (strong ? " (for strong hire)" : ""), "       ");
    constexpr std::size_t most = 2;
    for (std::size_t i = 0; i < std::min(result.failures.size(), most); ++i) {
        out << indented(result.failures[i], "         ");
    }
    if (result.failures.size() > most) {
        out << "         (and " << result.failures.size() - most << " more in this test)\n";
    }
    if (!result.output.empty()) {
        out << "         your code printed:\n" << indented(printed_text(result.output), "           ");
    }
}

std::string state_of(const StepResult& step) {
    if (!step.attempted() && !step.passed()) {
        return "not attempted";
    }
    const int total = static_cast<int>(step.tests.size()) - step.count(Outcome::skipped);
    return std::to_string(step.count(Outcome::passed)) + " of " + std::to_string(total) + " tests";
}

void print_step(std::ostream& out, const StepResult& step) {
    out << "  " << step.step << "  " << std::left << std::setw(40) << step.title << std::setw(18) << state_of(step)
        << std::right << std::setw(3) << step.points() << "/" << std::setw(2) << step.max_points() << " points\n";
    for (const TestResult& result : step.tests) {
        if (!result.remark.empty()) {
            out << wrapped(result.remark, "       ");
        }
        if (result.outcome == Outcome::failed) {
            print_failure(out, result);
        }
    }
}

// Functions that tests still need although their step is begun, or that belong to another step.
std::string missing_in(const std::vector<StepResult>& steps) {
    std::vector<std::string> missing;
    for (const StepResult& step : steps) {
        for (const TestResult& result : step.tests) {
            const bool listed = std::ranges::find(missing, result.missing_step) != missing.end();
            const bool elsewhere = !result.missing_step.starts_with(step.step);
            if ((step.attempted() || elsewhere) && result.outcome == Outcome::not_attempted && !listed) {
                missing.push_back(result.missing_step);
            }
        }
    }
    std::string text;
    for (const std::string& one : missing) {
        text += "  " + one + "\n";
    }
    return text;
}

}  // namespace

bool PartResult::passed() const {
    return build_errors.empty() && std::ranges::all_of(steps, &StepResult::passed);
}

void print(std::ostream& out, const PartResult& part) {
    out << "Part " << part.part << ": " << part.title << "\n"
        << "  graded: " << part.graded_from << "\n"
        << wrapped("with: " + part.others_from, "  ") << "\n";
    if (!part.build_errors.empty()) {
        out << "  It " << part.obstacle << ":\n\n" << part.build_errors << "\n";
        return;
    }
    if (!part.warnings.empty()) {
        out << "  The compiler warns:\n\n" << part.warnings << "\n";
    }
    int points = 0;
    int max_points = 0;
    for (const StepResult& step : part.steps) {
        print_step(out, step);
        points += step.points();
        max_points += step.max_points();
    }
    out << missing_in(part.steps);
    const Verdict verdict = verdict_of(part.steps);
    out << "\n"
        << wrapped("Part " + std::to_string(part.part) + ", " + std::to_string(points) + " of " +
                       std::to_string(max_points) + " points, " + rating_text(verdict.rating) + ": " + verdict.reason +
                       ".",
                   "  ");
}

}  // namespace workbook::grader
