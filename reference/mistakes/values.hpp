/// @file
/// Answers of any number of axes, and what models of mistakes give in their place.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "reference/mistakes/models/decisions/decisions.hpp"

namespace workbook::mistakes {

/// A tensor of any number of axes, as doubles.
struct Values {
    std::vector<std::size_t> shape;
    std::vector<double> elements;  ///< row-major
};

/// Copies a tensor.
template <class Tensor>
[[nodiscard]] Values values_of(const Tensor& tensor) {
    return {{tensor.shape().begin(), tensor.shape().end()}, {tensor.begin(), tensor.end()}};
}

/// What an implementation with the given decisions answers.
using Model = std::function<Values(const Decisions&)>;

/// A model whose result is a tensor.
template <class Answer>
[[nodiscard]] Model model_of(const Answer& answer) {
    return [answer](const Decisions& decisions) { return values_of(answer(decisions)); };
}

/// Whether a model gives this answer, up to rounding. NaN equals NaN, and where a mistake reads memory that was never
/// written, it may give anything.
[[nodiscard]] bool agrees(const Values& answer, const Values& of_model);

/// What the model answers; nothing when the mistake cannot be made with these extents. A refusal is an answer without
/// axes, which agrees with no tensor.
[[nodiscard]] std::optional<Values> answer_with(const Decisions& decisions, const Model& model);

/// Whether an answer differs from the right one by no more than rounding to float, or a tiny number that is added.
[[nodiscard]] bool is_nearly(const Values& answer, const Values& expected);

/// Whether no two calls give such an answer by chance: it has different elements, and some are no whole numbers.
[[nodiscard]] bool is_unmistakable(const Values& answer);

}  // namespace workbook::mistakes
