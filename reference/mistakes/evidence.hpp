/// @file
/// What answers, right and wrong, say about the mistakes of the catalogue.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "reference/mistakes/catalogue.hpp"

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

/// Mistakes that explain the answers seen so far.
class Evidence {
public:
    /// @param step  where the answers come from, "1.3"; empty when they come from no step
    explicit Evidence(const std::string& step = "");

    /// Weighs an answer, right or wrong; `right` says which.
    /// @return false when the answer is wrong and no known mistake gives both it and the wrong answers before it
    bool weigh(bool right, const Values& actual, const Values& expected, const Model& model);
    /// Weighs a refusal of a call that has an answer: it speaks for the mistakes with which `model` throws
    /// std::length_error.
    void weigh_refusal(const std::function<void(const Decisions&)>& model);
    /// Adds a wrong answer that any of these mistakes gives.
    void wrong_answer(const std::set<std::string>& mistakes);
    /// Settles which mistake it is, because it was seen for certain by other means; from then on, answers no longer
    /// count.
    void settle(const std::string& mistake);

    /// From now on, asks what each answer says of these mistakes, and no longer which mistakes there are: one that
    /// would have given another answer than a right one is refuted, than a wrong one contrary.
    void question(std::vector<std::string> mistakes) { questioned_ = std::move(mistakes); }

    /// Mistakes that give every wrong answer seen; empty when there is none.
    [[nodiscard]] const std::set<std::string>& suspects() const { return suspects_; }
    /// Questioned mistakes that would have got a right answer wrong.
    [[nodiscard]] const std::set<std::string>& refuted() const { return refuted_; }
    /// Questioned mistakes that do not give some wrong answer.
    [[nodiscard]] const std::set<std::string>& contrary() const { return contrary_; }

private:
    [[nodiscard]] bool gives(const Mistake& mistake, const Values& actual, const Values& expected,
                             const Model& model) const;
    [[nodiscard]] std::set<std::string> mistakes_that_give(const Values& actual, const Values& expected,
                                                           const Model& model) const;

    bool streams_;  // whether answers may come from a pass over tiles
    std::vector<std::string> questioned_;
    std::set<std::string> suspects_;
    std::set<std::string> refuted_;
    std::set<std::string> contrary_;
    bool any_ = false;
    bool settled_ = false;
};

}  // namespace workbook::mistakes
