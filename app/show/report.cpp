#include "app/show/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/base/layout.hpp"
#include "app/base/text.hpp"
#include "app/base/version.hpp"
#include "app/judge/naming/diagnosis.hpp"
#include "app/judge/verdict.hpp"

namespace workbook::app {

namespace {

// The first lines of what the tested code printed.
std::string printed_text(const std::string& output, bool whole) {
    constexpr std::size_t most = 10;
    constexpr std::size_t longest = 200;
    std::vector<std::string> lines = lines_of(output);
    if (whole) {
        return joined(lines, "\n") + "\n";
    }
    const bool is_cut = lines.size() > most;
    lines.resize(std::min(lines.size(), most));
    std::string text;
    for (const std::string& line : lines) {
        text += shortened(line, longest) + "\n";
    }
    return is_cut ? text + "(and more)\n" : text;
}

// "1.3  one head    4 of 9 tests   7/24 points", with room for a symbol in front.
std::string step_line(const StepResult& step, const Style& style) {
    const std::string state = padded(state_of(step), 18);
    const std::string painted = !step.begun() ? state : step.passed() ? style.good(state) : style.bad(state);
    return fmt::format("{} {}  {}{}{:3}/{:2} points\n", style.symbols ? symbol_of(step, style) : " ", step.step,
                       padded(step.title, 40), painted, step.points(), step.max_points());
}

void print_step(std::ostream& out, const PartResult& part, const StepResult& step, const Style& style, bool verbose) {
    out << step_line(step, style);
    out << uncompiled_text(part, step.step, style, "       ");
    out << undefined_text(step, style, "       ");
    out << findings_text(step, style, "       ");
    FailureForm form{"       ", true, verbose};
    for (const TestResult& result : step.tests) {
        if (!result.remark.empty()) {
            out << wrapped(result.remark, form.indent);
        }
        if (result.outcome == Outcome::failed) {
            out << failure_text(result, style, form);
            form.with_message = verbose;  // one mistake often fails several tests: the first is enough to start with
        }
    }
}

// Functions that tests still need although their step is begun, or that belong to another step.
std::string missing_in(const std::vector<StepResult>& steps) {
    std::vector<std::string> missing;
    for (const StepResult& step : steps) {
        for (const TestResult& result : step.tests) {
            const std::string one = result.missing_text();
            const bool is_said = result.misses_own_step() && (!step.attempted() || result.lack != Lack::empty);
            if (!one.empty() && !is_said && std::ranges::find(missing, one) == missing.end()) {
                missing.push_back(one);
            }
        }
    }
    std::string text;
    for (const std::string& one : missing) {
        text += "  " + one + "\n";
    }
    return text;
}

// Steps of other files of the learner's, of which nothing else is shown.
std::string uncompiled_elsewhere(const PartResult& part, const Style& style) {
    std::string text;
    for (const UncompiledStep& one : part.uncompiled) {
        if (std::ranges::find(part.steps, one.step, &StepResult::step) == part.steps.end()) {
            text += uncompiled_text(part, one.step, style, "  ") + "\n";
        }
    }
    return text;
}

std::string verdict_sentence(const PartResult& part, const Style& style) {
    const std::string label = part.heading.substr(0, part.heading.find(':'));
    const std::string points = fmt::format("{} of {} points", part.points(), part.max_points());
    if (!part.scope.empty()) {
        return fmt::format("{}, only {}: {}. The verdict is on all of it: ./workbook check {}", label, part.scope,
                           points, part.part);
    }
    const Verdict verdict = verdict_of(part.steps);
    return fmt::format("{}, {}, {}: {}.", label, points, painted_rating(verdict, style), verdict.reason);
}

std::string verdict_text(const PartResult& part, const Style& style) {
    const std::string answers = counted(static_cast<std::uint64_t>(part.compared()), "answer");
    return fmt::format("{}  {} compared\n", wrapped(verdict_sentence(part, style), "  "), answers);
}

}  // namespace

std::string points_text(const PartResult& part) {
    return fmt::format("{:3}/{}", part.points(), part.max_points());
}

std::string symbol_of(const StepResult& step, const Style& style) {
    if (step.passed()) {
        return style.good("✓");
    }
    return step.begun() ? style.bad("✗") : style.dim("·");
}

std::string painted_rating(const Verdict& verdict, const Style& style) {
    std::string text = rating_text(verdict.rating);
    switch (verdict.rating) {
        case Rating::not_attempted: return text;
        case Rating::unfinished: return style.open(text);
        case Rating::weak: return style.bad(text);
        case Rating::hire:
        case Rating::strong_hire: return style.good(text);
    }
    return text;
}

std::string findings_text(const StepResult& step, const Style& style, const std::string& indent) {
    std::string text;
    for (const Finding& finding : step.findings) {
        text += indented(finding_text(finding, style), indent);
    }
    if (step.findings.empty() && std::ranges::any_of(step.tests, &TestResult::unexplained)) {
        text += indented("None of the known mistakes gives these answers.\n", indent);
    }
    return text;
}

std::string uncompiled_text(const PartResult& part, const std::string& step, const Style& style,
                            const std::string& indent) {
    const auto found = std::ranges::find(part.uncompiled, step, &UncompiledStep::step);
    if (found == part.uncompiled.end()) {
        return "";
    }
    const std::string what = style.bad(fmt::format("Step {} does not compile", step));
    return wrapped(fmt::format("{}; the rest is graded without it:", what), indent) +
           indented(found->errors, indent + "  ");
}

std::string undefined_text(const StepResult& step, const Style& style, const std::string& indent) {
    std::string text;
    for (const UndefinedFunction& function : step.undefined) {
        const std::string what = style.bad("NOT DEFINED");
        text += wrapped(fmt::format("{}, or with other parameters: {}", what, function.name), indent);
        if (!function.signature.empty()) {
            text += indent + "  the tests call:\n" + wrapped(function.signature, indent + "    ");
        }
        if (!function.resembling.place.empty()) {
            text += fmt::format("{}  your file has, at {}:\n", indent, function.resembling.place) +
                    wrapped(function.resembling.signature, indent + "    ");
        }
    }
    return text;
}

std::string failure_text(const TestResult& result, const Style& style, const FailureForm& form) {
    const std::string needed_for = result.test.level == Level::strong_hire ? " (for strong hire)" : "";
    std::string text =
        wrapped(fmt::format("{} {}{}", style.bad("FAILED"), result.test.sentence(), needed_for), form.indent);
    if (!form.with_message) {
        return text;
    }
    const std::size_t most = form.whole ? result.failures.size() : 1;
    for (std::size_t i = 0; i < std::min(result.failures.size(), most); ++i) {
        text += indented(result.failures[i], form.indent + "  ");
    }
    if (result.failures.size() > most) {
        text += fmt::format("{}  (and {} more in this test)\n", form.indent, result.failures.size() - most);
    }
    text += fmt::format("{}  the test: {}\n", form.indent, result.test.place);
    if (!result.output.empty()) {
        text += form.indent + "  your code printed:\n" +
                indented(printed_text(result.output, form.whole), form.indent + "    ");
    }
    return text;
}

void print(std::ostream& out, const PartResult& part, const Style& style, bool verbose) {
    out << style.bold(part.heading) << "\n"
        << "  graded: " << part.graded_from << "\n"
        << wrapped("with: " + part.others_from, "  ") << "  by: attention workbook " << version() << "\n\n";
    if (!part.build_errors.empty()) {
        const bool shows_log = verbose && !part.build_log.empty();
        out << "  " << style.bad("It " + part.obstacle) << ":\n\n"
            << (shows_log ? part.build_log : indented(part.build_errors, "")) << "\n";
        return;
    }
    if (verbose && !part.uncompiled.empty()) {
        out << part.build_log << "\n";
    }
    out << uncompiled_elsewhere(part, style);
    if (!part.warnings.empty()) {
        out << "  " << style.open("The compiler warns") << ":\n\n" << indented(part.warnings, "") << "\n";
    }
    for (const StepResult& step : part.steps) {
        print_step(out, part, step, style, verbose);
    }
    out << missing_in(part.steps) << "\n" << verdict_text(part, style);
    if (!verbose && std::ranges::any_of(part.steps, [](const auto& step) { return step.count(Outcome::failed) > 1; })) {
        out << "  --verbose shows the messages of all failing tests.\n";
    }
}

}  // namespace workbook::app
