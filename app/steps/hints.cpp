#include "app/steps/hints.hpp"

#include <algorithm>
#include <stdexcept>

#include "app/base/files.hpp"
#include "app/base/layout.hpp"
#include "app/base/pattern.hpp"
#include "app/base/text.hpp"
#include "app/steps/progress.hpp"

namespace workbook::app {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of('\n');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of('\n') + 1 - first) + "\n";
}

}  // namespace

std::map<std::string, std::vector<std::string>> hints_in(const std::string& markdown) {
    static const app::Pattern step_heading(R"(^## ([a-z0-9]+\.\d+) .*$)");
    std::map<std::string, std::vector<std::string>> hints;
    std::vector<std::string>* of_step = nullptr;
    bool in_code = false;
    for (const std::string& line : lines_of(markdown)) {
        in_code = in_code != is_fence(line);
        const auto heading = in_code ? std::nullopt : step_heading.match(line);
        if (heading) {
            of_step = &hints[(*heading)[1]];
        } else if (!in_code && of_step != nullptr && line.starts_with("### Hint ")) {
            of_step->emplace_back();
        } else if (of_step != nullptr && !of_step->empty()) {
            of_step->back() += line + "\n";
        }
    }
    for (auto& [step, texts] : hints) {
        std::ranges::transform(texts, texts.begin(), trimmed);
    }
    return hints;
}

std::string next_hint(const Project& project, const std::string& step, const Style& style, int number) {
    const std::string file = project.part_of_step(step).folder + "/hints.md";
    const std::vector<std::string> hints = hints_in(read_file(project.source / file))[step];
    const auto count = static_cast<int>(hints.size());
    if (count == 0 || number > count) {
        throw std::runtime_error(file + " has " + std::to_string(count) + " hints for step " + step);
    }
    Progress progress(project);
    const bool again = number == 0 && progress.last_hint(step) >= count;
    if (number == 0) {
        number = again ? 1 : progress.last_hint(step) + 1;
    }
    progress.set_last_hint(step, number);
    progress.save();
    const std::string heading = "Hint " + std::to_string(number) + " of " + std::to_string(count) + " for step " +
                                step + (again ? " (you have seen them all; from the first again)" : "");
    return style.bold(heading) + "\n\n" + plain_text(hints[static_cast<std::size_t>(number) - 1], "  ");
}

}  // namespace workbook::app
