#include "docs/mistakes/pages.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <utility>

namespace workbook::docs {

namespace {

constexpr std::array<const char*, 3> part_titles{"causal multi-head attention", "a preallocated KV cache",
                                                 "grouped-query attention"};

// A title begins with a capital letter, unless it begins with the name of a weight, such as "wk".
std::string capitalised(std::string text) {
    if (!text.empty() && !(text.starts_with('w') && text.find(' ') == 2)) {
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    }
    return text;
}

// "owner/repo#12" as a link. GitHub leads from an issue's address to a pull request of that number.
std::string link(const std::string& thread) {
    const std::size_t mark = thread.find('#');
    return "[" + plain(thread) + "](https://github.com/" + thread.substr(0, mark) + "/issues/" +
           thread.substr(mark + 1) + ")";
}

std::string reported(const std::vector<std::string>& threads) {
    std::string text;
    for (const std::string& thread : threads) {
        text += (text.empty() ? "**Reported in** " : ", ") + link(thread);
    }
    return text.empty() ? "" : text + ".\n\n";
}

std::string section(const mistakes::Mistake& mistake, const Sources& sources) {
    const std::string figure = "mistake_" + mistake.id;
    const auto reports = sources.reports.find(mistake.id);
    return "### " + plain(capitalised(mistake.title)) + " {#" + figure + "}\n\n" +
           (sources.has_figure(figure) ? "\\htmlinclude[block] docs/figures/svg/" + figure + ".svg\n\n" : "") +
           plain(mistake.mechanism) + "\n\n**It hides** " + plain(mistake.hides) + ".\n\n**Look for it:** " +
           plain(mistake.look) + "\n\n" + (reports == sources.reports.end() ? "" : reported(reports->second));
}

}  // namespace

std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '*':
            case '_':
            case '[':
            case ']':
            case '#':
            case '%':
            case '@':
            case '`':
            case '|':
            case '\\': result += std::string("\\") + c; break;
            default: result += c;
        }
    }
    return result;
}

Reports read_reports(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    Reports reports = nlohmann::json::parse(file).get<Reports>();
    static const std::regex form("[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+#[0-9]+");
    for (const auto& [id, threads] : reports) {
        for (const std::string& thread : threads) {
            if (!std::regex_match(thread, form)) {
                throw std::runtime_error(path + ": " + id + " has \"" + thread + "\", expected owner/repo#number");
            }
        }
    }
    return reports;
}

std::string mistakes_page(int part, const Sources& sources) {
    const std::string number = std::to_string(part);
    std::string page = "# Mistakes in part " + number + ": " + part_titles.at(static_cast<std::size_t>(part - 1)) +
                       " {#mistakes_part" + number + "}\n\n\\ref mistakes says how to read these entries.\n\n" +
                       "\\tableofcontents{HTML:1}\n\n";
    std::string step;
    for (const mistakes::Mistake& mistake : sources.catalogue) {
        const bool is_follow_up = mistake.step.starts_with("streaming");  // on the page of the part it follows
        if (!mistake.step.starts_with(number + ".") && !(is_follow_up && part == 3)) {
            continue;
        }
        if (mistake.step != step) {
            step = mistake.step;
            const auto title = sources.step_titles.find(step);
            std::string anchor = "mistakes_step_" + step;
            std::ranges::replace(anchor, '.', '_');
            page += "## Step " + step + (title == sources.step_titles.end() ? "" : ": " + plain(title->second)) +
                    " {#" + anchor + "}\n\n";
        }
        page += section(mistake, sources);
    }
    return page;
}

}  // namespace workbook::docs
