#include "reference/mistakes/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "reference/closeness.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::mistakes {

namespace {

bool is_same(double actual, double of_model) {
    return of_model == anything || (std::isnan(actual) && std::isnan(of_model)) ||
           reference::is_close(actual, of_model);
}

// What the model answers with a change; nothing when the mistake cannot be made with these extents.
std::optional<Values> answer_with(const Change& change, const Model& model) {
    Decisions decisions;
    change(decisions);
    try {
        return model(decisions);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

// Whether one of the ways to make the mistake gives `actual`, and something else than the right answer.
bool gives(const Mistake& mistake, const Model& model, const Values& actual, const Values& expected) {
    return std::ranges::any_of(mistake.models, [&](const Change& change) {
        const std::optional<Values> answer = answer_with(change, model);
        return answer && agrees(actual, *answer) && !agrees(expected, *answer);
    });
}

// Mistakes in a streaming pass have models for many sizes of a tile; no other step makes such a pass.
bool can_be_made(const Mistake& mistake, const std::string& step) {
    return mistake.step != "streaming.1" || step == "streaming.1";
}

bool refuses(const std::function<void(const Decisions&)>& model, const Change& change) {
    Decisions decisions;
    change(decisions);
    try {
        model(decisions);
    } catch (const std::length_error&) {
        return true;
    } catch (const std::exception&) {
        return false;  // the mistake cannot be made with these extents
    }
    return false;
}

}  // namespace

bool agrees(const Values& answer, const Values& of_model) {
    return answer.shape == of_model.shape && std::ranges::equal(answer.elements, of_model.elements, is_same);
}

// Of the mistakes that give all wrong answers before: there are many models, and most are ruled out by the first one.
std::set<std::string> Evidence::mistakes_that_give(const Values& actual, const Values& expected,
                                                   const Model& model) const {
    std::set<std::string> found;
    for (const Mistake& mistake : catalogue()) {
        const bool may_be = !any_ || suspects_.contains(mistake.id);
        if (may_be && can_be_made(mistake, step_) && gives(mistake, model, actual, expected)) {
            found.insert(mistake.id);
        }
    }
    return found;
}

// A right answer speaks for every questioned mistake that gives it too, and against the others.
void Evidence::question_with(const Values& expected, const Model& model) {
    for (const std::string& id : questioned_) {
        const bool shows = std::ranges::none_of(find(id).models, [&](const Change& change) {
            const std::optional<Values> answer = answer_with(change, model);
            return !answer || agrees(expected, *answer);
        });
        if (shows) {
            refuted_.insert(id);
        }
    }
}

bool Evidence::weigh(bool right, const Values& actual, const Values& expected, const Model& model) {
    if (right) {
        question_with(expected, model);
        return true;
    }
    if (!questioned_.empty() || settled_) {
        return true;
    }
    const std::set<std::string> mistakes = mistakes_that_give(actual, expected, model);
    wrong_answer(mistakes);
    return !mistakes.empty();
}

void Evidence::weigh_refusal(const std::function<void(const Decisions&)>& model) {
    std::set<std::string> found;
    for (const Mistake& mistake : catalogue()) {
        if (std::ranges::any_of(mistake.models, [&](const Change& change) { return refuses(model, change); })) {
            found.insert(mistake.id);
        }
    }
    wrong_answer(found);
}

void Evidence::settle(const std::string& mistake) {
    suspects_ = {find(mistake).id};
    settled_ = true;
}

void Evidence::wrong_answer(const std::set<std::string>& mistakes) {
    if (settled_) {
        return;
    }
    std::set<std::string> common = mistakes;
    if (any_) {
        common.clear();
        std::ranges::set_intersection(suspects_, mistakes, std::inserter(common, common.begin()));
    }
    suspects_ = common;
    any_ = true;
}

}  // namespace workbook::mistakes
