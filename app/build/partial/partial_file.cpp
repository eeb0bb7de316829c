#include "app/build/partial/partial_file.hpp"

#include <algorithm>

#include "app/base/pattern.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;
using steps::Item;

void add_once(std::vector<std::string>& list, const std::string& item) {
    if (std::ranges::find(list, item) == list.end()) {
        list.push_back(item);
    }
}

// What a piece of code has in it when it uses a helper. A variable of its own may have a function's name, but is not
// called.
Pattern use_of(const Item& helper, const std::string& name) {
    return Pattern("\\b" + name + (helper.name.empty() ? "\\b" : "\\s*[(<]"));
}

bool has_use(const std::string& code, const Item& item, const Pattern& use) {
    return use.search(code.substr(item.begin, item.end - item.begin)).has_value();
}

// How many braces a piece of code opens and leaves open.
int net_braces(const std::string& code, std::size_t begin, std::size_t end) {
    const auto from = code.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = code.begin() + static_cast<std::ptrdiff_t>(end);
    return static_cast<int>(std::count(from, to, '{') - std::count(from, to, '}'));
}

// What a helper is called: a function, class or variable.
std::string name_of(const Item& item) {
    static const Pattern of_class(R"(^(?:class|struct|enum class|enum|union|using) (\w+))");
    static const Pattern of_variable(R"((\w+)(?:\[[^\]]*\])? ?(?:=.*|;)?$)");
    if (!item.name.empty()) {
        return item.name.substr(item.name.rfind(':') + 1);
    }
    std::optional<Match> match = of_class.search(item.signature);
    if (!match) {
        match = of_variable.search(item.signature);
    }
    return match ? (*match)[1] : "";
}

// In a folder of its own the text would not find files beside the learner's.
std::string with_local_includes(const std::string& line, const fs::path& folder) {
    static const Pattern pattern(R"x(^(\s*#\s*include\s*")([^"]+)("[\s\S]*)$)x");
    constexpr std::size_t longest = 4096;  // of a path, more or less
    const auto match = line.size() > longest ? std::nullopt : pattern.match(line);
    if (!match || !fs::is_regular_file(folder / (*match)[2])) {
        return line;
    }
    return (*match)[1] + (folder / (*match)[2]).string() + (*match)[3];
}

// The beginning of the first line in which a pattern is found; npos when there is none. No line that a person wrote is
// so long that it would keep the pattern busy.
std::size_t line_with(const std::string& text, const Pattern& pattern) {
    constexpr std::size_t longest = 300;
    std::size_t begin = 0;
    for (const std::string& line : lines_of(text)) {
        if (line.size() <= longest && pattern.search(line)) {
            return begin;
        }
        begin += line.size() + 1;
    }
    return std::string::npos;
}

// The first line of a function's definition, not of a call or a declaration.
Pattern definition_of(const std::string& function) {
    return Pattern(R"(^ {0,4}(?!return\b|throw\b)[A-Za-z_\[][^;=(){}]* [\w:]*)" + function + R"(\s*\((?!.*;\s*$))");
}

// A namespace around a step's functions belongs to the step; the workbook's own, around all of them, does not.
std::size_t with_namespace(const std::string& code, std::size_t begin) {
    static const Pattern opening(R"((^|\n)[ \t]*(?:inline )?namespace \w*\s*\{\s*$)");
    constexpr std::size_t most = 300;
    const std::size_t from = begin > most ? begin - most : 0;
    const std::string before = code.substr(from, begin - from);
    const auto place = code.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto match = std::count(code.begin(), place, '{') <= 1 ? std::nullopt : opening.search(before);
    return match ? from + match->position + (*match)[1].size() : begin;
}

}  // namespace

PartialFile::PartialFile(std::string text, std::vector<steps::StepFunction> functions)
    : text_(std::move(text)), functions_(std::move(functions)) {
    for (const steps::StepFunction& function : functions_) {
        add_once(steps_, function.step);
    }
}

std::string PartialFile::step_of(const Item& item) const {
    const auto found = std::ranges::find(functions_, item.name, &steps::StepFunction::name);
    return found == functions_.end() || !item.has_body ? "" : found->step;
}

bool PartialFile::has_steps() const {
    return std::ranges::any_of(steps::items_of(text_), [&](const Item& item) { return !step_of(item).empty(); });
}

// Where a step begins: its heading, otherwise the line at which its first function seems to begin. That needs no braces
// that pair up. npos when the file has neither.
std::size_t PartialFile::start_of(const std::string& step, bool& is_heading) const {
    const std::size_t heading =
        line_with(text_, Pattern("^[ \\t]*//+[ \\t]*Step " + replaced(step, ".", "\\.") + "\\b"));
    is_heading = heading != std::string::npos;
    if (is_heading) {
        return heading;
    }
    const std::string code = steps::code_of(text_);
    std::size_t begin = std::string::npos;
    for (const steps::StepFunction& function : functions_) {
        if (function.step == step) {
            begin = std::min(begin, line_with(code, definition_of(function.name)));
        }
    }
    return begin == std::string::npos ? begin : with_namespace(code, begin);
}

std::vector<PartialFile::Section> PartialFile::sections(bool& have_headings) const {
    std::vector<Section> found;
    have_headings = true;
    for (const std::string& step : steps_) {
        bool is_heading = false;
        const std::size_t begin = start_of(step, is_heading);
        if (begin != std::string::npos) {
            found.push_back({step, begin, text_.size()});
            have_headings = have_headings && is_heading;
        }
    }
    std::ranges::sort(found, {}, &Section::begin);
    for (std::size_t i = 1; i < found.size(); ++i) {
        found[i - 1].end = found[i].begin;
    }
    return found;
}

std::optional<PartialFile::Section> PartialFile::heading_above(std::size_t place) const {
    const std::string code = steps::code_of(text_);
    bool have_headings = false;
    for (const Section& section : sections(have_headings)) {
        // Behind the end of the namespace is behind the last step.
        const bool is_behind = net_braces(code, 0, section.begin) > 0 && net_braces(code, 0, place) <= 0;
        if (have_headings && section.begin <= place && place < section.end && !is_behind) {
            return section;
        }
    }
    return std::nullopt;
}

// Helpers may need helpers.
std::vector<std::string> PartialFile::steps_that_need(const Item& helper) const {
    const std::string code = steps::code_of(text_);
    const std::vector<Item> items = steps::items_of(text_);
    constexpr std::size_t most = 50;  // for a file of thousands of helpers
    std::vector<Item> needed{helper};
    std::vector<std::string> found;
    for (std::size_t i = 0; i < std::min(needed.size(), most); ++i) {
        const std::string name = name_of(needed[i]);
        const Pattern use = use_of(needed[i], name);
        for (const Item& item : items) {
            const bool is_known = std::ranges::find(needed, item.begin, &Item::begin) != needed.end();
            if (name.empty() || is_known || !has_use(code, item, use)) {
                continue;
            }
            if (const std::string step = step_of(item); !step.empty()) {
                add_once(found, step);
            } else {
                needed.push_back(item);
            }
        }
    }
    return found;
}

// The steps that do not work without an item: its own, those that need it as a helper, the one under whose heading it
// is, or the only one that lacks a function, whose name may be misspelled here.
std::vector<std::string> PartialFile::steps_behind(const Item& item) const {
    if (const std::string step = step_of(item); !step.empty()) {
        return {step};
    }
    if (std::vector<std::string> users = steps_that_need(item); !users.empty()) {
        return users;
    }
    if (const std::optional<Section> section = heading_above(item.begin)) {
        return {section->step};
    }
    const std::vector<Item> items = steps::items_of(text_);
    std::vector<std::string> lacking;
    for (const steps::StepFunction& function : functions_) {
        if (std::ranges::find(items, function.name, &Item::name) == items.end()) {
            add_once(lacking, function.step);
        }
    }
    return lacking.size() == 1 ? lacking : std::vector<std::string>{};
}

void PartialFile::blank(std::size_t begin, std::size_t end, Cut& cut) {
    const std::size_t first = steps::line_at(text_, begin);
    const std::size_t last = steps::line_at(text_, std::max(end, begin + 1) - 1);
    cut.lines.resize(std::max(cut.lines.size(), last + 1));
    std::fill(cut.lines.begin() + static_cast<std::ptrdiff_t>(first),
              cut.lines.begin() + static_cast<std::ptrdiff_t>(last + 1), true);
    const auto from = text_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::replace_if(
        from, text_.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
}

std::optional<Cut> PartialFile::take_out_unpaired(std::size_t error_line) {
    const std::string code = steps::code_of(text_);
    bool have_headings = false;
    const std::vector<Section> found = sections(have_headings);
    if (found.empty() || (!have_headings && net_braces(code, 0, code.size()) == 0)) {
        return std::nullopt;  // without headings, a namespace may begin in one step's piece and end in another's
    }
    for (const Section& section : found) {
        const bool is_last = section.end == text_.size();
        const int expected = is_last ? -net_braces(code, 0, found.front().begin) : 0;
        if (net_braces(code, section.begin, section.end) == expected) {
            continue;
        }
        if (error_line < steps::line_at(text_, section.begin)) {
            return std::nullopt;  // the error has nothing to do with these braces
        }
        Cut cut{{section.step}, {}, true};
        blank(section.begin, section.end, cut);
        const auto closing = static_cast<std::size_t>(std::max(-expected, 0));
        text_.replace(section.end - std::min(closing, section.end - section.begin), closing, closing, '}');
        return cut;
    }
    return std::nullopt;
}

std::optional<Cut> PartialFile::take_out(std::size_t error_line) {
    if (std::optional<Cut> cut = take_out_unpaired(error_line)) {
        return cut;
    }
    const std::vector<Item> items = steps::items_of(text_);
    const auto item = std::ranges::find_if(items, [&](const Item& one) {
        return steps::line_at(text_, one.begin) <= error_line && error_line <= steps::line_at(text_, one.end - 1);
    });
    if (item == items.end()) {
        return std::nullopt;
    }
    Cut cut{steps_behind(*item), {}, false};
    if (cut.steps.empty()) {
        return std::nullopt;
    }
    for (const Item& one : items) {
        if (one.begin == item->begin || std::ranges::find(cut.steps, step_of(one)) != cut.steps.end()) {
            blank(one.begin, one.end, cut);
        }
    }
    return cut;
}

bool PartialFile::take_out_overloads_of(const std::string& function) {
    const auto declared = std::ranges::find(functions_, function, &steps::StepFunction::name);
    if (declared == functions_.end()) {
        return false;
    }
    Cut cut;
    for (const Item& item : steps::items_of(text_)) {
        if (item.name == function &&
            steps::parameters_of(item.signature) != steps::parameters_of(declared->signature)) {
            blank(item.begin, item.end, cut);
        }
    }
    return !cut.lines.empty();
}

std::string PartialFile::source(const fs::path& file) const {
    std::string text = "#line 1 \"" + replaced(file.string(), "\\", "\\\\") + "\"\n";
    for (const std::string& line : lines_of(text_)) {
        text += with_local_includes(line, file.parent_path()) + "\n";
    }
    return text;
}

}  // namespace workbook::app
