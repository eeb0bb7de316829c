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

// What the model answers; nothing when the mistake cannot be made with these extents.
std::optional<Values> answer_with(const Decisions& decisions, const Model& model) {
    try {
        return model(decisions);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

bool is_streaming(const Way& way) {
    return way.decisions.streaming != Streaming::right;
}

// Whether a step is one that goes over keys in tiles: its own mistakes are such.
bool streams(const std::string& step) {
    return std::ranges::any_of(catalogue(), [&](const Mistake& mistake) {
        return mistake.step == step && std::ranges::any_of(mistake.ways, is_streaming);
    });
}

bool refuses(const std::function<void(const Decisions&)>& model, const Decisions& decisions) {
    try {
        model(decisions);
    } catch (const std::length_error&) {
        return true;
    } catch (const std::exception&) {
        return false;  // the mistake cannot be made with these extents
    }
    return false;
}

// Whether none of the ways to make the mistake gives the answer. Where one cannot be made with these extents, it does
// not matter what the others give.
bool would_answer_otherwise(const std::string& mistake, const Values& actual, const Model& model) {
    return std::ranges::none_of(find(mistake).ways, [&](const Way& way) {
        const std::optional<Values> answer = answer_with(way.decisions, model);
        return !answer || agrees(actual, *answer);
    });
}

}  // namespace

bool agrees(const Values& answer, const Values& of_model) {
    return answer.shape == of_model.shape && std::ranges::equal(answer.elements, of_model.elements, is_same);
}

// Whether one of the ways to make the mistake gives `actual`, and something else than the right answer. Mistakes of a
// streaming pass are made in many sizes of a tile, so they are tried where a pass can be one.
bool Evidence::gives(const Mistake& mistake, const Values& actual, const Values& expected, const Model& model) const {
    return std::ranges::any_of(mistake.ways, [&](const Way& way) {
        if (is_streaming(way) && !streams_) {
            return false;
        }
        const std::optional<Values> answer = answer_with(way.decisions, model);
        return answer && agrees(actual, *answer) && !agrees(expected, *answer);
    });
}

Evidence::Evidence(const std::string& step) : streams_(streams(step)) {
}

// Of the mistakes that give all wrong answers before: there are many ways, and most are ruled out by the first one.
std::set<std::string> Evidence::mistakes_that_give(const Values& actual, const Values& expected,
                                                   const Model& model) const {
    std::set<std::string> found;
    for (const Mistake& mistake : catalogue()) {
        const bool may_be = !any_ || suspects_.contains(mistake.id);
        if (may_be && gives(mistake, actual, expected, model)) {
            found.insert(mistake.id);
        }
    }
    return found;
}

bool Evidence::weigh(bool right, const Values& actual, const Values& expected, const Model& model) {
    for (const std::string& mistake : questioned_) {
        if (would_answer_otherwise(mistake, right ? expected : actual, model)) {
            (right ? refuted_ : contrary_).insert(mistake);
        }
    }
    if (right || !questioned_.empty() || settled_) {
        return true;
    }
    const std::set<std::string> mistakes = mistakes_that_give(actual, expected, model);
    wrong_answer(mistakes);
    return !mistakes.empty();
}

void Evidence::weigh_refusal(const std::function<void(const Decisions&)>& model) {
    std::set<std::string> found;
    for (const Mistake& mistake : catalogue()) {
        if (std::ranges::any_of(mistake.ways, [&](const Way& way) { return refuses(model, way.decisions); })) {
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
