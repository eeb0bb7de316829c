#include "tests/mutants/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/base/text.hpp"

namespace workbook::mutants {

namespace {

std::size_t count(const std::vector<Graded>& all, Fate fate) {
    return static_cast<std::size_t>(std::ranges::count(all, fate, &Graded::fate));
}

std::string text_of(Fate fate) {
    switch (fate) {
        case Fate::killed: return "killed";
        case Fate::uncompiled: return "does not compile";
        case Fate::equivalent: return "equivalent";
        case Fate::survived: return "SURVIVES";
    }
    return "";
}

std::string row(const std::string& name, const std::vector<Graded>& some) {
    return fmt::format("| {} | {} | {} | {} | {} |\n", name, app::grouped(some.size()),
                       app::grouped(count(some, Fate::killed)), count(some, Fate::uncompiled),
                       count(some, Fate::equivalent));
}

// A table with a row for each value of a key, in order.
template <class Key>
std::string table(const std::string& title, const std::vector<Graded>& all, const Key& key) {
    std::map<std::string, std::vector<Graded>> rows;
    for (const Graded& one : all) {
        rows[key(one)].push_back(one);
    }
    std::string text =
        fmt::format("| {} | mutants | fail | do not compile | are excused |\n|---|---:|---:|---:|---:|\n", title);
    for (const auto& [name, some] : rows) {
        text += row(name, some);
    }
    return text + row("all", all);
}

// Why mutants are equivalent, and how many for each reason.
std::string reasons(const std::vector<Graded>& all) {
    std::map<std::string, std::size_t> numbers;
    for (const Graded& one : all) {
        if (one.fate == Fate::equivalent) {
            ++numbers[one.reason];
        }
    }
    std::string text = "| why | mutants |\n|---|---:|\n";
    for (const auto& [reason, number] : numbers) {
        text += fmt::format("| {} | {} |\n", reason, number);
    }
    return text;
}

constexpr const char* introduction = R"(# Mutants {#mutants}

Written by `./workbook test --long`. How much do the graded tests notice? A program takes the worked answers, and the
answers in plain loops, and makes one small change at a time: a **mutant**. Each mutant is graded like a learner's file;
it has to fail. Step 2.5 is left out, because an answer there is a test itself: with other tokens it is as right as before.
Changes around a whole function, such as cliffs, are made in worked answers only.
Some are **excused**: they do nothing wrong, or only a call that no test has the time or room for would show it. Their
reasons are at the end of the page.

| change | what it is |
|---|---|
| arithmetic | another operation; an assignment that forgets what there was |
| cliff | wrong when an extent, such as the number of keys, is greater than 8, 16, 64, 100, 256 or 1,000 |
| condition | the condition of a branch that always holds, or never |
| const_cast | an input is changed |
| dropped statement | a statement is left out |
| early end | a loop ends after its first pass or before its last; a result is returned before it is complete |
| float | float in place of Scalar, or a result that is rounded to it |
| function | another function or constant: the least for the greatest, a number for infinity |
| index | 0 in place of a loop's variable |
| name | keys for values, rows for tokens, query heads for key/value heads |
| number | a number, such as an axis, one more or one less |
| relation | a comparison that takes in its bound, or no longer does |
| special case | wrong for a single row, token, key or head, for an odd number of them, or for fewer of one than of another |
| static | a variable, or the result of a call, that is kept for the next one |
| swap | neighbouring arguments or indices are swapped |

)";

}  // namespace

std::string Graded::line() const {
    const std::string change = mutant.before.empty() ? mutant.after : mutant.before + "  =>  " + mutant.after;
    const std::string number = mutant.occurrence == 1 ? "" : fmt::format(" ({})", mutant.occurrence);
    const std::string names = named.empty() ? "" : fmt::format(" [{}]", app::joined(named, "] ["));
    return fmt::format("{}{}{}: {} | {} | {}{}", text_of(fate), out_of_time ? " (time)" : "", names,
                       mutant.name_of_function(), mutant.operation, change, number);
}

std::string summary_of(const std::vector<Graded>& all) {
    return fmt::format("{} mutants: {} fail, {} do not compile, {} are excused, {} survive.\n",
                       app::grouped(all.size()), app::grouped(count(all, Fate::killed)), count(all, Fate::uncompiled),
                       count(all, Fate::equivalent), count(all, Fate::survived));
}

std::string page_of(const std::vector<Graded>& all) {
    return introduction + summary_of(all) + "\n\\tableofcontents{HTML:2}\n\n## By step {#mutants_by_step}\n\n" +
           table("step", all, [](const Graded& one) { return one.mutant.step; }) +
           "\n## By change {#mutants_by_change}\n\n" +
           table("change", all, [](const Graded& one) { return one.mutant.operation; }) +
           "\n## Those that pass {#mutants_equivalent}\n\n" + reasons(all);
}

}  // namespace workbook::mutants
