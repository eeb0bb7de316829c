#include "app/commands/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/text.hpp"
#include "app/commands/command.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

struct Option {
    std::string names;
    std::string description;
};

// A command as help shows it.
struct Entry {
    std::string name;
    std::string arguments;
    std::string summary;
    int place = 0;
    std::string target;
    std::vector<Option> options;

    [[nodiscard]] std::string usage() const {
        return "./workbook" + (name.empty() ? "" : " " + name) + (arguments.empty() ? "" : " " + arguments);
    }
};

constexpr std::string_view introduction = "The attention workbook: practise the interview question, part by part.\n";

constexpr std::string_view closing =
    "./workbook COMMAND --help shows its options. PART is 1, 2, 3 or a follow-up.\n"
    "\n"
    "You fill in exercise.cpp in the folder of a part. Start with part1_mha/README.md.\n"
    "\n"
    "The first run installs missing packages (it says which) and builds everything\n"
    "once, which takes a few minutes. After that, check takes a few seconds. The\n"
    "folder .workbook has your progress and backups. It does not decide what passes:\n"
    "that is graded again each time.\n"
    "\n"
    "Exit codes: 0 everything graded passed, or the command did what it says; 1\n"
    "something graded did not pass, bench or story found your code wrong or\n"
    "unfinished, or you said no; 2 the command was wrong; 3 the workbook could not\n"
    "be installed, built or updated; 130 interrupted.\n";

Entry entry_of(const Command& command) {
    Entry entry{command.name, command.arguments, command.summary, command.place, command.target, {}};
    CLI::App options;
    options.set_help_flag();
    static_cast<void>(command.describe(options));
    for (const CLI::Option* option : options.get_options()) {
        if (!option->get_group().empty()) {  // else it is for the program itself
            const std::string value = option->get_type_name();
            const bool takes_value = !option->get_positional() && option->get_items_expected_max() > 0;
            const std::string name = option->get_positional() ? option->get_name(true) : option->get_name();
            entry.options.push_back(
                {name + (takes_value && !value.empty() ? " " + value : ""), option->get_description()});
        }
    }
    return entry;
}

// "#: summary measure …" without its beginning, when the line has it.
bool take(std::string_view line, std::string_view key, std::string& value) {
    const std::string begin = fmt::format("#: {} ", key);
    if (!line.starts_with(begin)) {
        return false;
    }
    value = line.substr(begin.size());
    return true;
}

Entry entry_of(const fs::path& script) {
    Entry entry;
    entry.name = script.stem().string();
    entry.target = "-";
    for (const std::string& line : lines_of(read_file(script))) {
        std::string value;
        if (take(line, "place", value)) {
            entry.place = std::stoi(value);
        } else if (take(line, "option", value)) {
            const std::size_t bar = value.find(" | ");
            entry.options.push_back({value.substr(0, bar), value.substr(bar + 3)});
        } else if (!take(line, "summary", entry.summary)) {
            static_cast<void>(take(line, "arguments", entry.arguments));
        }
    }
    return entry;
}

std::vector<Entry> entries_in(const fs::path& folder) {
    std::vector<Entry> entries;
    for (const Command& command : commands()) {
        entries.push_back(entry_of(command));
    }
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
        if (file.path().extension() == ".sh") {
            entries.push_back(entry_of(file.path()));
        }
    }
    std::ranges::sort(entries, {}, &Entry::place);
    return entries;
}

// Two columns; the second begins at column `at` and is broken to the width of the page.
std::string row(const std::string& left, const std::string& right, std::size_t at) {
    std::string text = wrapped(right, std::string(at, ' '));
    const std::string begin = "  " + left;
    if (begin.size() + 2 > at) {
        return begin + "\n" + text;
    }
    return text.replace(0, begin.size(), begin);
}

std::string page_of(const std::vector<Entry>& entries) {
    std::string text = fmt::format("{}\n", introduction);
    for (const Entry& entry : entries) {
        text += row(entry.usage(), entry.summary, 32);
    }
    return fmt::format("{}\n{}", text, closing);
}

std::string section_of(const Entry& entry) {
    std::string sentence = entry.summary + ".";
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    std::string text = fmt::format("@ {} {}\n{}\n\n{}", entry.name, entry.target, entry.usage(), wrapped(sentence, ""));
    text += entry.options.empty() ? "" : "\n";
    for (const Option& option : entry.options) {
        text += row(option.names, option.description, 26);
    }
    return text;
}

}  // namespace

std::string help_text(const fs::path& source) {
    const std::vector<Entry> entries = entries_in(source / "app" / "commands" / "shell");
    std::string text = "@ help -\n" + page_of(entries);
    for (const Entry& entry : entries) {
        if (entry.name != "help") {
            text += entry.name.empty() ? fmt::format("@ overview {}\n", entry.target) : section_of(entry);
        }
    }
    return text;
}

}  // namespace workbook::app
