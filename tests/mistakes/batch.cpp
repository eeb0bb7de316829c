#include "tests/mistakes/batch.hpp"

#include <algorithm>

#include "app/steps/steps.hpp"

namespace workbook::edits {

namespace {

bool fits(const WrongSolution& wrong, const std::vector<WrongSolution>& batch) {
    return std::ranges::all_of(batch, [&](const WrongSolution& other) {
        const auto is_others = [&](const std::string& step) { return other.steps.contains(step); };
        return other.edit.base == wrong.edit.base && !other.steps.empty() && !wrong.steps.empty() &&
               std::ranges::none_of(wrong.steps, is_others);
    });
}

}  // namespace

std::string WrongSolution::mistake() const {
    return name.substr(0, name.find('-'));
}

std::set<std::string> steps_of(const Edit& edit, const std::string& solution) {
    std::set<std::string> steps;
    for (const Replacement& replacement : edit.replacements) {
        const std::string step = steps::step_at(solution, place_of(edit, replacement, solution));
        if (step.empty()) {
            return {};
        }
        steps.insert(step);
    }
    return steps;
}

std::vector<std::string> steps_of(const std::vector<WrongSolution>& batch) {
    std::vector<std::string> steps;
    for (const WrongSolution& wrong : batch) {
        steps.insert(steps.end(), wrong.steps.begin(), wrong.steps.end());
    }
    return steps;
}

std::string text_of(const std::vector<WrongSolution>& batch, std::string solution) {
    for (const WrongSolution& wrong : batch) {
        solution = applied(wrong.edit, std::move(solution));
    }
    const std::vector<std::string> changed = steps_of(batch);
    return changed.empty() ? solution
                           : steps::only_steps(solution, {changed.begin(), changed.end()}, batch.front().edit.base);
}

std::vector<std::vector<WrongSolution>> batches_of(const std::vector<WrongSolution>& all) {
    std::vector<std::vector<WrongSolution>> batches;
    for (const WrongSolution& wrong : all) {
        const auto batch = std::ranges::find_if(batches, [&](const auto& others) { return fits(wrong, others); });
        if (batch == batches.end()) {
            batches.push_back({wrong});
        } else {
            batch->push_back(wrong);
        }
    }
    return batches;
}

}  // namespace workbook::edits
