// Where the learner is: ./workbook and ./workbook list.
#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "own.hpp"

namespace workbook::grader {

namespace {

std::string points_text(const PartResult& part) {
    const std::string points = std::to_string(part.points());
    return std::string(3 - std::min<std::size_t>(3, points.size()), ' ') + points + "/" +
           std::to_string(part.max_points());
}

std::string part_line(const PartResult& part, bool is_current, const Style& style) {
    const std::string name = padded("Part " + std::to_string(part.part) + "  " + part.title, 39);
    const std::string line = (is_current ? "> " + style.bold(name) : "  " + name);
    if (!part.build_errors.empty()) {
        return line + style.bad("does not build") + "\n";
    }
    return line + points_text(part) + "  " + padded(painted_rating(verdict_of(part.steps), style), 15) +
           std::to_string(part.steps_passed()) + " of " + std::to_string(part.n_steps()) + " steps\n";
}

void print_next(const Folders& folders, const std::vector<PartResult>& parts, int current) {
    const auto open = std::ranges::find_if_not(parts, &PartResult::passed);
    if (open == parts.end()) {
        std::cout << "All three parts pass. ./workbook diff " << current << " shows your file beside the worked one.\n";
        return;
    }
    if (open->part != current) {
        std::cout << "Part " << current << " is done. Next:\n  ./workbook start " << open->part << "\n";
        return;
    }
    const NextStep next = next_step(folders, {}, {*open});
    std::cout << wrapped(next.sentence + ".", "") << "\n"
              << "  ./workbook watch       grades every time you save\n";
    if (!next.step.empty()) {
        std::cout << "  ./workbook hint " << next.step << "    gives a hint\n";
    }
}

// "passed", with the day on which it first did.
std::string state_with_day(const StepResult& step, const Progress& progress, const Style& style) {
    const auto day = progress.first_passed(step.step);
    if (step.passed()) {
        return style.good("passed") + (day ? ", first on " + *day : "");
    }
    const std::string state = step.attempted() ? style.bad(state_of(step)) : state_of(step);
    return state + (day ? ", passed on " + *day : "");
}

void print_steps(const PartResult& part, const Progress& progress, const Style& style) {
    const std::string title = "Part " + std::to_string(part.part) + ": " + part.title;
    if (!part.build_errors.empty()) {
        std::cout << style.bold(title) << ", " << style.bad("does not build") << "\n";
        return;
    }
    std::cout << style.bold(padded(title, 37)) << points_text(part) << "  "
              << painted_rating(verdict_of(part.steps), style) << "\n";
    for (const StepResult& step : part.steps) {
        const std::string points = std::to_string(step.points());
        std::cout << (style.symbols ? symbol_of(step, style) + " " : "  ") << step.step << "  "
                  << padded(step.title, 30) << std::string(3 - std::min<std::size_t>(3, points.size()), ' ') << points
                  << "/" << padded(std::to_string(step.max_points()), 5) << state_with_day(step, progress, style)
                  << "\n";
    }
}

}  // namespace

int overview(const Folders& folders) {
    const Progress progress(folders.source);
    const int current = progress.current_part();
    const Style style = style_of_output();
    std::vector<PartResult> parts;
    for (const int part : {1, 2, 3}) {
        parts.push_back(grade_own(folders, part));
        std::cout << part_line(parts.back(), part == current, style) << std::flush;
    }
    if (progress.carries()) {
        std::cout << "\n" << wrapped("with: " + carried_text(current), "  ");
    }
    std::cout << "\n";
    std::rotate(parts.begin(), parts.begin() + (current - 1),
                parts.end());  // the current part first, then those after it
    print_next(folders, parts, current);
    return all_passed;
}

int list(const Folders& folders, const std::vector<int>& parts) {
    for (const int part : parts) {
        std::cout << (part == parts.front() ? "" : "\n");
        const PartResult result = grade_own(folders, part);
        print_steps(result, Progress(folders.source), style_of_output());
    }
    return all_passed;
}

}  // namespace workbook::grader
