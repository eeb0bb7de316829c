#include "reference/mistakes/values.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "reference/closeness.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

namespace {

bool is_same(double actual, double of_model) {
    return of_model == anything || (std::isnan(actual) && std::isnan(of_model)) ||
           reference::is_close(actual, of_model);
}

}  // namespace

bool agrees(const Values& answer, const Values& of_model) {
    return answer.shape == of_model.shape && std::ranges::equal(answer.elements, of_model.elements, is_same);
}

std::optional<Values> answer_with(const Decisions& decisions, const Model& model) {
    try {
        return model(decisions);
    } catch (const std::length_error&) {
        return Values{};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

bool is_nearly(const Values& answer, const Values& expected) {
    constexpr double most = 1e-5;
    return answer.shape == expected.shape &&
           std::ranges::equal(answer.elements, expected.elements, [](double actual, double right) {
               return std::abs(actual - right) <= most * std::max(1.0, std::abs(right));
           });
}

bool is_unmistakable(const Values& answer) {
    const auto is_fraction = [](double element) { return std::isfinite(element) && element != std::floor(element); };
    const auto first = std::ranges::find_if(answer.elements, is_fraction);
    return std::any_of(first, answer.elements.end(),
                       [&](double element) { return is_fraction(element) && element != *first; });
}

}  // namespace workbook::mistakes
