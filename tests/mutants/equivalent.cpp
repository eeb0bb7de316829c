#include "tests/mutants/equivalent.hpp"

#include "app/base/text.hpp"

namespace workbook::mutants {

std::vector<Equivalent> parse_equivalents(const std::string& text) {
    std::vector<Equivalent> all;
    std::string function;
    std::string reason;
    std::string before;
    std::size_t number = 0;
    for (const std::string& line : app::lines_of(text)) {
        ++number;
        if (line.starts_with("## ")) {
            function = line.substr(3);
            reason.clear();
        } else if (line.starts_with("-") || line.starts_with("+")) {
            if (function.empty() || reason.empty()) {
                throw ListError(std::to_string(number) + ": a mutant without a function or a reason above it");
            }
            if (line.front() == '-') {
                before = line + "\n";
                continue;
            }
            all.push_back({function, before + line + "\n", reason});
            before.clear();
        } else if (line.empty()) {
            reason.clear();
        } else if (!function.empty()) {
            reason += (reason.empty() ? "" : " ") + line;
        }
    }
    return all;
}

}  // namespace workbook::mutants
