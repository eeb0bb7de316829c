/// @file
/// What answers, right and wrong, say about the mistakes of the catalogue.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/mistakes/pair_search.hpp"
#include "reference/mistakes/values.hpp"

namespace workbook::mistakes {

/// Mistakes that explain the answers seen so far.
class Evidence {
public:
    /// @param step  where the answers come from, "1.3"; empty when they come from no step
    explicit Evidence(const std::string& step = "");

    /// Weighs an answer, right or wrong; `right` says which.
    void weigh(bool right, const Values& actual, const Values& expected, const Model& model);
    /// Weighs a refusal of a call that has an answer: it speaks for the mistakes with which `model` throws
    /// std::length_error.
    void weigh_refusal(const std::function<void(const Decisions&)>& model);
    /// Settles which mistake it is, because it was seen for certain by other means; from then on, answers no longer
    /// count. The first one stays.
    void settle(const std::string& mistake);

    /// From now on, asks what each answer says of these suspects, and no longer which suspects there are: one that
    /// would have given another answer than a right one is refuted, than a wrong one contrary. Suspects that no answer
    /// can show are left out.
    void question(const std::vector<std::string>& suspects);
    /// From now on, looks for two mistakes that give the wrong answers together, for a limited time. Those with one of
    /// `known` come first.
    void search_pairs(const std::vector<std::string>& known);

    /// Mistakes that give every wrong answer seen, or pairs of them; empty when there is none.
    [[nodiscard]] const std::set<std::string>& suspects() const { return suspects_; }
    /// Questioned suspects that would have got a right answer wrong.
    [[nodiscard]] const std::set<std::string>& refuted() const { return refuted_; }
    /// Questioned suspects that do not give some wrong answer.
    [[nodiscard]] const std::set<std::string>& contrary() const { return contrary_; }
    /// Whether there was a wrong answer, and nothing gives all wrong ones.
    [[nodiscard]] bool is_unexplained() const { return is_wrong_ && suspects_.empty(); }

private:
    [[nodiscard]] bool gives(const Mistake& mistake, const Values& actual, const Values& expected,
                             const Model& model) const;
    [[nodiscard]] std::set<std::string> suspects_that_give(const Values& actual, const Values& expected,
                                                           const Model& model);
    void interrogate(bool right, const Values& answer, const Model& model);
    void keep_common(const std::set<std::string>& suspects);

    std::string step_;
    bool streams_;  // whether answers may come from a pass over tiles
    std::optional<std::map<std::string, std::vector<Way>>> questioned_;
    std::optional<PairSearch> pairs_;
    std::set<std::string> suspects_;
    std::set<std::string> refuted_;
    std::set<std::string> contrary_;
    std::vector<Values> right_answers_;
    bool asks_nearly_right_ = false;
    bool is_wrong_ = false;
    bool any_ = false;
    bool settled_ = false;
};

}  // namespace workbook::mistakes
