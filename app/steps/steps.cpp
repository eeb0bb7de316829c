#include "app/steps/steps.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "app/base/pattern.hpp"
#include "app/base/text.hpp"

namespace workbook::steps {

namespace {

using app::lines_of;

struct Marker {
    std::string indent;
    std::string id;
};

std::optional<Marker> marker_in(const std::string& line) {
    static const app::Pattern pattern(R"(^(\s*)// \[([a-z0-9]+\.\d+ [^\]]+)\]\s*$)");
    const auto match = pattern.match(line);
    return match ? std::optional(Marker{(*match)[1], (*match)[2]}) : std::nullopt;
}

// The line that starts a step.
struct Banner {
    std::string step;
    std::string title;
};

std::optional<Banner> banner_in(const std::string& line) {
    static const app::Pattern pattern(R"(^// Step ([a-z0-9]+\.\d+): (.+)$)");
    const auto match = pattern.match(line);
    return match ? std::optional(Banner{(*match)[1], (*match)[2]}) : std::nullopt;
}

[[noreturn]] void fail(std::size_t index, const std::string& what) {
    throw MarkerError("line " + std::to_string(index + 1) + ": " + what);
}

// Follows the markers of a solution from line to line and refuses those that do not pair up.
class Regions {
public:
    // True when `line` is a marker, opening or closing.
    bool take(const std::string& line, std::size_t index) {
        const std::optional<Marker> marker = marker_in(line);
        if (!marker) {
            return false;
        }
        if (open_ && marker->id != open_->id) {
            fail(index, "[" + marker->id + "] inside [" + open_->id + "]");
        }
        if (open_) {
            open_.reset();
        } else {
            if (!seen_.insert(marker->id).second) {
                fail(index, "[" + marker->id + "] is marked twice");
            }
            open_ = marker;
        }
        return true;
    }

    [[nodiscard]] const std::optional<Marker>& open() const { return open_; }

    void finish(std::size_t index) const {
        if (open_) {
            fail(index, "[" + open_->id + "] is not closed");
        }
        if (seen_.empty()) {
            fail(index, "no step is marked");
        }
    }

private:
    std::optional<Marker> open_;
    std::set<std::string> seen_;
};

void append_line(std::string& text, const std::string& line) {
    // Where helpers were left out, two blank lines would meet.
    const bool doubles_blank = line.empty() && text.size() >= 2 && text.substr(text.size() - 2) == "\n\n";
    if (!doubles_blank) {
        text += line + "\n";
    }
}

// A last line "}  // namespace workbook".
void remove_namespace_end(std::string& text) {
    const std::size_t last = text.find_last_of('\n', text.size() < 2 ? 0 : text.size() - 2);
    const std::size_t start = last == std::string::npos ? 0 : last + 1;
    if (text.substr(start).starts_with("}  // namespace workbook")) {
        text.erase(start);
    }
}

}  // namespace

std::string skeleton_of(const std::string& solution) {
    const std::vector<std::string> lines = lines_of(solution);
    std::string skeleton;
    Regions regions;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool is_marker = regions.take(lines[i], i);
        if (is_marker && regions.open() && !regions.open()->indent.empty()) {
            append_line(skeleton, regions.open()->indent + "throw NotImplemented(\"" + regions.open()->id + "\");");
        } else if (!is_marker && !regions.open()) {
            append_line(skeleton, lines[i]);
        }
    }
    regions.finish(lines.size());
    return skeleton;
}

std::string stand_in_of(const std::string& solution) {
    return app::replaced(skeleton_of(solution), "throw NotImplemented(", "throw NotDefined(");
}

std::string only_steps(const std::string& solution, const std::set<std::string>& steps, const std::string& path) {
    const std::vector<std::string> lines = lines_of(solution);
    std::string text = "#line 1 \"" + path + "\"\n";
    bool is_kept = true;  // as what stands above the first step
    std::set<std::string> missing = steps;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (const std::optional<Banner> banner = banner_in(lines[i])) {
            is_kept = steps.contains(banner->step);
            missing.erase(banner->step);
        }
        const bool closes_file = i + 1 == lines.size();  // the end of the namespace
        // Lines of other steps stay as blank ones, so that line numbers agree with the solution's.
        text += (is_kept || closes_file ? lines[i] : "") + "\n";
    }
    if (!missing.empty()) {
        fail(lines.size(), "there is no step " + *missing.begin());
    }
    return text;
}

std::vector<Section> sections_of(const std::string& file) {
    std::vector<Section> sections(1);
    for (const std::string& line : lines_of(file)) {
        if (const std::optional<Banner> banner = banner_in(line)) {
            sections.push_back({banner->step, ""});
        }
        if (!marker_in(line)) {
            append_line(sections.back().text, line);
        }
    }
    remove_namespace_end(sections.back().text);
    for (Section& section : sections) {
        while (section.text.ends_with("\n\n")) {
            section.text.pop_back();
        }
    }
    return sections;
}

std::string section_of(const std::string& file, const std::string& step) {
    const std::vector<Section> sections = sections_of(file);
    const auto found = std::ranges::find(sections, step, &Section::step);
    return found == sections.end() ? "" : found->text;
}

std::string step_at(const std::string& file, std::size_t place) {
    const std::vector<StepTitle> above = titles_of(file.substr(0, place));
    return above.empty() ? "" : above.back().step;
}

std::vector<StepTitle> titles_of(const std::string& solution) {
    std::vector<StepTitle> titles;
    for (const std::string& line : lines_of(solution)) {
        if (const std::optional<Banner> banner = banner_in(line)) {
            titles.push_back({banner->step, banner->title});
        }
    }
    return titles;
}

}  // namespace workbook::steps
