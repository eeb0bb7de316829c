#include "app/steps/exercises/merge.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "app/base/pattern.hpp"
#include "app/base/text.hpp"
#include "app/steps/hunks.hpp"
#include "app/steps/steps.hpp"

namespace workbook::steps {

namespace {

// Carriage returns at the ends of lines do not count.
Lines lines_in(const std::string& text) {
    return app::lines_of(app::replaced(text, "\r\n", "\n"));
}

std::string text_of(const Lines& lines) {
    return lines.empty() ? "" : app::joined(lines, "\n") + "\n";
}

std::string included_by(const std::string& line) {
    static const app::Pattern pattern(R"(^\s*#\s*include\s*([<"][^>"]+[>"]).*$)");
    const auto match = pattern.match(line);
    return match ? (*match)[1] : "";
}

// Headers have moved to folders: "attention.hpp" is "part1_mha/attention.hpp" now.
std::string without_folder(const std::string& header) {
    const std::size_t slash = header.rfind('/');
    return header.front() == '<' || slash == std::string::npos ? header : "\"" + header.substr(slash + 1);
}

std::set<std::string> headers_in(const Lines& lines) {
    std::set<std::string> headers;
    for (const std::string& line : lines) {
        if (const std::string header = included_by(line); !header.empty()) {
            headers.insert(without_folder(header));
        }
    }
    return headers;
}

// Adds #include lines of `from` whose headers `lines` lacks, behind its last one.
void add_includes(Lines& lines, const Lines& from) {
    std::set<std::string> known = headers_in(lines);
    Lines missing;
    for (const std::string& line : from) {
        if (const std::string header = included_by(line);
            !header.empty() && known.insert(without_folder(header)).second) {
            missing.push_back(line);
        }
    }
    const auto last =
        std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) { return !included_by(line).empty(); });
    lines.insert(last.base(), missing.begin(), missing.end());
}

// In the order of the file.
std::vector<std::string> steps_in(const std::string& file) {
    std::vector<std::string> steps;
    for (const Section& section : sections_of(file)) {
        if (!section.step.empty()) {
            steps.push_back(section.step);
        }
    }
    return steps;
}

std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& some) {
    std::vector<std::string> rest;
    std::ranges::copy_if(all, std::back_inserter(rest),
                         [&](const std::string& one) { return std::ranges::count(some, one) == 0; });
    return rest;
}

// How many of the lines a file has; that other number when there are none.
double fraction_in(const std::string& file, const Lines& lines, double of_none) {
    const Lines all = lines_in(file);
    const auto found =
        std::ranges::count_if(lines, [&](const auto& line) { return std::ranges::count(all, line) > 0; });
    return lines.empty() ? of_none : static_cast<double>(found) / static_cast<double>(lines.size());
}

bool ends_namespace(const std::string& line) {
    return line.starts_with("}  // namespace workbook");
}

// Puts lines before the end of the namespace, or of the file when that is not to be found.
void append_inside(Lines& lines, const Lines& more) {
    const auto end = std::find_if(lines.rbegin(), lines.rend(), ends_namespace);
    const auto place = end == lines.rend() ? lines.end() : end.base() - 1;
    lines.insert(place, more.begin(), more.end());
}

// The lines of a step, from its first line to the next step or the end of the namespace.
std::pair<std::size_t, std::size_t> extent_of(const Lines& lines, const std::string& step) {
    const auto begins = [](const std::string& which) {
        return [which](const std::string& line) { return line.starts_with("// Step " + which); };
    };
    const auto begin = std::ranges::find_if(lines, begins(step + ": "));
    if (begin == lines.end()) {
        return {lines.size(), lines.size()};
    }
    const auto end = std::find_if(begin + 1, lines.end(),
                                  [&](const std::string& line) { return begins("")(line) || ends_namespace(line); });
    return {static_cast<std::size_t>(begin - lines.begin()), static_cast<std::size_t>(end - lines.begin())};
}

Lines part_of(const Lines& lines, std::pair<std::size_t, std::size_t> extent) {
    return {lines.begin() + static_cast<std::ptrdiff_t>(extent.first),
            lines.begin() + static_cast<std::ptrdiff_t>(extent.second)};
}

// A function that begins at the start of a line and ends with a line "}".
struct Function {
    std::size_t begin = 0;  // its first line
    std::size_t body = 0;   // the line behind the one that ends in "{"
    std::size_t end = 0;    // the line "}"
};

std::optional<Function> function_in(const Lines& lines, const std::string& name) {
    Function found;
    const auto names_it = [&](const std::string& line) {
        return !line.empty() && line.front() != ' ' && line.front() != '/' &&
               line.find(" " + name + "(") != std::string::npos;
    };
    const auto begin = std::ranges::find_if(lines, names_it);
    const auto opening = std::find_if(begin, lines.end(), [](const std::string& line) { return line.ends_with("{"); });
    const auto end = std::find(opening, lines.end(), "}");
    if (end == lines.end()) {
        return std::nullopt;
    }
    found.begin = static_cast<std::size_t>(begin - lines.begin());
    found.body = static_cast<std::size_t>(opening - lines.begin()) + 1;
    found.end = static_cast<std::size_t>(end - lines.begin());
    return found;
}

// The name of the function that a skeleton leaves empty: "attend" in `throw NotImplemented("streaming.1 attend");`
std::string empty_function_in(const Lines& lines, const std::string& step) {
    const std::string begin = "    throw NotImplemented(\"" + step + " ";
    for (const std::string& line : lines) {
        if (line.starts_with(begin) && line.ends_with("\");")) {
            return line.substr(begin.size(), line.size() - begin.size() - 3);
        }
    }
    return "";
}

// A section from its first line of code on.
Lines code_in(Lines section) {
    const auto first =
        std::ranges::find_if(section, [](const std::string& line) { return !line.empty() && !line.starts_with("//"); });
    section.erase(section.begin(), first);
    return section;
}

// A section without what the old one has above its code, and without blank lines at the end.
Lines without_prose(Lines section, const Lines& old_section) {
    const Lines prose = part_of(old_section, {0, old_section.size() - code_in(old_section).size()});
    const auto first = std::ranges::find_if(section, [&](const std::string& line) {
        return !line.empty() && !line.starts_with("// Step ") && std::ranges::count(prose, line) == 0;
    });
    section.erase(section.begin(), first);
    while (!section.empty() && section.back().empty()) {
        section.pop_back();
    }
    return section;
}

// The new home of a step: the learner's body in place of the throw, the helpers before the function.
std::string moved_home(const Lines& old_section, const Lines& my_section, const std::string& step,
                       const std::string& home, const Lines& mine) {
    Lines lines = lines_in(home);
    const std::vector<std::string> steps = steps_in(home);
    const std::string old_name = empty_function_in(old_section, step);
    const std::string new_name = steps.empty() ? "" : empty_function_in(lines, steps.front());
    const Lines code = without_prose(my_section, old_section);
    const auto was = function_in(old_section, old_name);
    const auto written = function_in(code, old_name);
    const auto place = function_in(lines, new_name);
    if (new_name.empty() || !was || !written || !place) {
        return "";
    }
    const Lines given = part_of(old_section, {was->body, was->end - 1});  // the new home has its own
    Lines body;
    for (const std::string& line : part_of(code, {written->body, written->end})) {
        if (std::ranges::count(given, line) == 0) {
            body.push_back(line);
        }
    }
    Lines helpers = part_of(code, {0, written->begin});
    const Lines behind = part_of(code, {written->end + 1, code.size()});
    const auto at = [&](std::size_t line) { return lines.begin() + static_cast<std::ptrdiff_t>(line); };
    lines.insert(at(place->end) + 1, behind.begin(), behind.end());
    lines.erase(at(place->end) - 1);  // the throw
    lines.insert(at(place->end) - 1, body.begin(), body.end());
    lines.insert(at(place->begin), helpers.begin(), helpers.end());
    add_includes(lines, mine);
    return text_of(lines);
}

}  // namespace

bool began_rather_as(const std::string& one, const std::string& other, const std::string& mine) {
    return fraction_in(mine, without(lines_in(one), lines_in(other)), 0.0) >
           fraction_in(mine, without(lines_in(other), lines_in(one)), 1.0);
}

Merged merged(const std::string& base, const std::string& mine, const std::string& skeleton) {
    Merged result;
    const Lines old_lines = lines_in(base);
    const Lines my_lines = lines_in(mine);
    const std::vector<Hunk> my_hunks = hunks_between(old_lines, my_lines);
    std::vector<Hunk> hunks = my_hunks;
    for (const Hunk& hunk : hunks_between(old_lines, lines_in(skeleton))) {
        if (std::ranges::count(my_hunks, hunk) == 1) {
            continue;  // both did the same
        }
        if (std::ranges::any_of(my_hunks, [&](const Hunk& my) { return collide(my, hunk); })) {
            result.both_changed = true;
        } else {
            hunks.push_back(hunk);
        }
    }
    std::ranges::stable_sort(hunks, {}, [](const Hunk& hunk) { return std::pair(hunk.begin, hunk.end); });
    Lines lines = applied(old_lines, hunks);
    add_includes(lines, my_lines);
    const std::vector<std::string> wanted = steps_in(skeleton);
    result.new_steps = without(wanted, steps_in(base));
    for (const std::string& step : without(result.new_steps, steps_in(text_of(lines)))) {
        append_inside(lines, part_of(lines_in(skeleton), extent_of(lines_in(skeleton), step)));
    }
    result.text = text_of(lines);
    result.gone_steps = without(steps_in(result.text), wanted);
    if (mine.find("\r\n") != std::string::npos) {
        result.text = app::replaced(result.text, "\n", "\r\n");
    }
    return result;
}

std::vector<std::string> written_steps(const std::string& skeleton, const std::string& mine) {
    std::vector<std::string> steps;
    for (const Section& section : sections_of(text_of(lines_in(mine)))) {
        const Lines was = code_in(lines_in(section_of(skeleton, section.step)));
        if (!section.step.empty() && code_in(lines_in(section.text)) != was) {
            steps.push_back(section.step);
        }
    }
    return steps;
}

Taken take_step(const std::string& base, const std::string& mine, const std::string& step, const std::string& home) {
    const Lines old_lines = lines_in(base);
    Lines lines = lines_in(mine);
    const auto extent = extent_of(lines, step);
    const Lines old_section = part_of(old_lines, extent_of(old_lines, step));
    Lines rest = lines;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(extent.first),
               rest.begin() + static_cast<std::ptrdiff_t>(extent.second));
    const std::string name = empty_function_in(old_section, step);
    if (name.empty() || text_of(rest).find(name + "(") != std::string::npos) {
        return {mine, ""};  // another step calls it
    }
    const std::string moved = moved_home(old_section, part_of(lines, extent), step, home, lines);
    rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(extent.first), old_section.begin(), old_section.end());
    return moved.empty() ? Taken{mine, ""} : Taken{text_of(rest), moved};
}

}  // namespace workbook::steps
