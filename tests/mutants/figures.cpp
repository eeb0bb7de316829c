#include "tests/mutants/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

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

// A table with a row for each value of a key, in order.
template <class Key>
std::string table(const std::string& title, const std::vector<Graded>& all, const Key& key) {
    std::map<std::string, std::vector<Graded>> rows;
    for (const Graded& one : all) {
        rows[key(one)].push_back(one);
    }
    std::string text =
        fmt::format("| {} | mutants | killed | do not compile | equivalent |\n|---|---:|---:|---:|---:|\n", title);
    for (const auto& [name, some] : rows) {
        text += fmt::format("| {} | {} | {} | {} | {} |\n", name, some.size(), count(some, Fate::killed),
                            count(some, Fate::uncompiled), count(some, Fate::equivalent));
    }
    return text;
}

}  // namespace

std::string Graded::line() const {
    const std::string change = mutant.before.empty() ? mutant.after : mutant.before + "  =>  " + mutant.after;
    const std::string number = mutant.occurrence == 1 ? "" : fmt::format(" ({})", mutant.occurrence);
    const std::string names = named.empty() ? "" : fmt::format(" [{}]", app::joined(named, "] ["));
    return fmt::format("{}{}{}: {} | {} | {}{}", text_of(fate), out_of_time ? " (time)" : "", names,
                       mutant.name_of_function(), mutant.operation, change, number);
}

std::string summary_of(const std::vector<Graded>& all) {
    return fmt::format("{} mutants: {} killed, {} do not compile, {} equivalent, {} survive.\n", all.size(),
                       count(all, Fate::killed), count(all, Fate::uncompiled), count(all, Fate::equivalent),
                       count(all, Fate::survived));
}

std::string page_of(const std::vector<Graded>& all) {
    std::ostringstream page;
    page << summary_of(all) << "\n"
         << table("step", all, [](const Graded& one) { return one.mutant.step; }) << "\n"
         << table("change", all, [](const Graded& one) { return one.mutant.operation; });
    return page.str();
}

}  // namespace workbook::mutants
