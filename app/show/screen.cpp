#include "app/show/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/layout.hpp"
#include "app/base/text.hpp"
#include "app/judge/verdict.hpp"

namespace workbook::app {

namespace {

using Lines = std::vector<std::string>;

// At most that many lines; the last one says how many are missing.
Lines cut(Lines lines, std::size_t most, const Style& style) {
    if (lines.size() > most) {
        const std::size_t left_out = lines.size() - most + 1;
        lines.resize(std::max<std::size_t>(most, 1));
        lines.back() = style.dim(fmt::format("({} more lines; a taller window shows them)", left_out));
    }
    return lines;
}

std::string points_and_rating(const PartResult& part, const Style& style) {
    return points_text(part) + (part.scope.empty() ? "  " + painted_rating(verdict_of(part.steps), style) : "");
}

Lines heading(const View& view, const Style& style) {
    const std::string title = view.part.heading;
    const std::string right = view.part.steps.empty() ? "" : points_and_rating(view.part, style);
    const std::size_t room = std::max<std::size_t>(80, columns_of(right)) - columns_of(right);
    std::string from = view.part.graded_from;
    if (!view.part.others_from.empty()) {
        from += ", with " + view.part.others_from;
    }
    Lines lines{style.bold(padded(title, room)) + right};
    for (const std::string& line : lines_of(wrapped(from, ""))) {
        lines.push_back(style.dim(line));
    }
    return lines;
}

// "✓ 1.1   [✗ 1.2]   · 1.3", the shown step in brackets. Dim while the file does not build: that was before.
std::string state_line(const View& view, const Style& wanted) {
    const bool is_old = view.part.steps.empty();
    const Style style = is_old ? Style{false, true} : wanted;
    std::string line;
    for (const StepResult& step : view.steps) {
        const bool shown = step.step == view.focus;
        const std::string symbol = symbol_of(step, style);
        line += shown ? fmt::format("[{} {}]  ", symbol, style.bold(step.step))
                      : fmt::format(" {} {}   ", symbol, step.step);
    }
    return is_old ? wanted.dim(line) : line;
}

// "To fill in: softmax_rows, 1.1 split_heads in part1_mha/exercise.cpp."
std::string text_of_empty(const StepResult& step, const std::string& file) {
    std::vector<std::string> empty;
    for (const TestResult& result : step.tests) {
        if (result.outcome != Outcome::not_attempted || result.lack != Lack::empty) {
            continue;
        }
        const std::string own = result.missing_function.empty() ? "its functions" : result.missing_function;
        const std::string name = result.misses_own_step() ? own : result.missing();
        if (std::ranges::find(empty, name) == empty.end()) {
            empty.push_back(name);
        }
    }
    return empty.empty() ? "" : wrapped(fmt::format("To fill in: {} in {}.", joined(empty, ", "), file), "");
}

std::string passed_text(const View& view, const StepResult& step, const Style& style) {
    const std::string next = next_open(view.steps, view.focus);
    if (!next.empty()) {
        return fmt::format("{}, {} of {} points. Press n for step {}.\n", style.good("Step " + step.step + " passes"),
                           step.points(), step.max_points(), next);
    }
    const std::string what =
        view.part.scope.empty() ? "Every step of the part passes." : "Step " + step.step + " passes.";
    const std::string done = style.good(what) + "\n";
    return view.next_part.empty()
               ? done
               : fmt::format("{}For the next part: q, then ./workbook start {}\n", done, view.next_part);
}

std::string step_text(const View& view, const StepResult& step, const Style& style) {
    const std::string title = style.bold(step.step + "  " + step.title);
    if (step.passed()) {
        return title + "\n\n" + passed_text(view, step, style);
    }
    const std::string head = fmt::format("{}, {}\n\n", title, state_of(step)) +
                             uncompiled_text(view.part, step.step, style, "") + undefined_text(step, style, "");
    const auto failed = std::ranges::find(step.tests, Outcome::failed, &TestResult::outcome);
    if (failed == step.tests.end()) {
        return head + text_of_empty(step, view.part.graded_from);
    }
    std::string text = head + findings_text(step, style, "") + failure_text(*failed, style, {});
    const int others = step.count(Outcome::failed) - 1;
    if (others == 0) {
        return text;
    }
    const std::string more =
        others == 1 ? "1 other test of this step fails." : fmt::format("{} other tests of this step fail.", others);
    return fmt::format("{}\n{}\n", text, style.dim(more));
}

std::string list_text(const View& view, const Style& style) {
    std::string text;
    for (const StepResult& step : view.steps) {
        const std::string points = fmt::format("{}/{}", step.points(), step.max_points());
        text += fmt::format("{} {}  {}{:8}{}\n", symbol_of(step, style), step.step, padded(step.title, 36), points,
                            step.passed() ? "passed" : state_of(step));
    }
    return text;
}

// Steps that do not compile, beside the one that is shown: what was saved last may be in them.
std::string uncompiled_beside(const View& view, const Style& style) {
    std::string text;
    for (const UncompiledStep& one : view.part.uncompiled) {
        text += one.step == view.focus ? "" : uncompiled_text(view.part, one.step, style, "") + "\n";
    }
    return text;
}

Lines body(const View& view, const Style& style) {
    if (!view.part.build_errors.empty()) {
        const std::string what = style.bad("It " + view.part.obstacle);
        return lines_of(fmt::format("{}:\n\n{}", what, indented(view.part.build_errors, "")));
    }
    if (view.lists_steps) {
        return lines_of(list_text(view, style));
    }
    const auto step = std::ranges::find(view.steps, view.focus, &StepResult::step);
    std::string text = uncompiled_beside(view, style) + (step == view.steps.end() ? "" : step_text(view, *step, style));
    if (!view.part.warnings.empty()) {
        text += fmt::format("\n{}:\n\n{}", style.open("The compiler warns"), indented(view.part.warnings, ""));
    }
    return lines_of(text);
}

}  // namespace

std::string next_open(const std::vector<StepResult>& steps, const std::string& focus) {
    const auto shown = std::ranges::find(steps, focus, &StepResult::step);
    std::vector<StepResult> order(shown == steps.end() ? shown : shown + 1, steps.end());
    order.insert(order.end(), steps.begin(), shown);
    const auto open = std::ranges::find_if_not(order, &StepResult::passed);
    return open == order.end() ? "" : open->step;
}

std::vector<std::string> screen_of(const View& view, const Size& size, const Style& style) {
    Lines lines = heading(view, style);
    lines.insert(lines.end(), {"", state_line(view, style), ""});
    const Lines footer{"", style.dim("h hint   n next   l list   r rerun   q quit"), view.status};
    const std::size_t taken = lines.size() + footer.size() + 1;
    const std::size_t room = size.rows > taken + 2 ? size.rows - taken : 2;

    const Lines hint = view.hint.empty() || view.lists_steps ? Lines{} : lines_of("\n" + view.hint);
    const std::size_t least = std::min<std::size_t>(6, room / 2);  // of the failure, beside a long hint
    const Lines shown = cut(body(view, style), room > hint.size() + least ? room - hint.size() : least, style);
    lines.insert(lines.end(), shown.begin(), shown.end());
    if (!hint.empty()) {
        const Lines rest = cut(hint, room - std::min(room - 1, shown.size()), style);
        lines.insert(lines.end(), rest.begin(), rest.end());
    }
    lines.insert(lines.end(), footer.begin(), footer.end());
    lines.resize(std::min(lines.size(), size.rows - 1));
    std::ranges::transform(lines, lines.begin(), [&](const std::string& line) { return clipped(line, size.columns); });
    return lines;
}

}  // namespace workbook::app
