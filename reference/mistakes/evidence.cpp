#include "reference/mistakes/evidence.hpp"

#include <algorithm>
#include <ctime>
#include <exception>
#include <iterator>
#include <stdexcept>

namespace workbook::mistakes {

namespace {

// Seen by other means than a model: an answer that belongs to an earlier call, and one that is nearly right.
const char* const remembered = "answer_remembered";
const char* const nearly_right = "answer_nearly_right";

// Whether a step is one that goes over keys in tiles: its own mistakes are such.
bool streams(const std::string& step) {
    return std::ranges::any_of(catalogue(), [&](const Mistake& mistake) {
        return mistake.step == step && std::ranges::any_of(mistake.ways, is_streaming);
    });
}

// Whether the model is about this answer: it is not when an earlier wrong call has left it a wrong state.
bool covers(const Model& model, const Values& expected) {
    const std::optional<Values> answer = answer_with({}, model);
    return answer && agrees(expected, *answer);
}

bool refuses(const std::function<void(const Decisions&)>& model, const Way& way) {
    try {
        model(way.decisions);
    } catch (const std::length_error&) {
        return true;
    } catch (const std::exception&) {
        return false;  // the mistake cannot be made with these extents
    }
    return false;
}

bool some_way_refuses(const std::vector<Way>& ways, const std::function<void(const Decisions&)>& model) {
    return std::ranges::any_of(ways, [&](const Way& way) { return refuses(model, way); });
}

// Whether none of the ways to make the mistakes gives the answer. Where one cannot be made with these extents, it does
// not matter what the others give.
bool would_answer_otherwise(const std::vector<Way>& ways, const Values& actual, const Model& model) {
    return std::ranges::none_of(ways, [&](const Way& way) {
        const std::optional<Values> answer = answer_with(way.decisions, model);
        return !answer || agrees(actual, *answer);
    });
}

// Two mistakes are a bold claim: they have to give the answer, and it is no excuse that they cannot be made.
bool some_way_gives(const std::vector<Way>& ways, const Values& actual, const Model& model) {
    return std::ranges::any_of(ways, [&](const Way& way) {
        const std::optional<Values> answer = answer_with(way.decisions, model);
        return answer && agrees(actual, *answer);
    });
}

// Right answers are many: asking all of them must not take the test beyond its limit.
bool is_out_of_time() {
    constexpr std::clock_t most = 3 * CLOCKS_PER_SEC;
    return std::clock() > most;
}

}  // namespace

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

Evidence::Evidence(const std::string& step) : step_(step), streams_(streams(step)) {
}

// Of the suspects that give all wrong answers before: there are many ways, and most are ruled out by the first one.
std::set<std::string> Evidence::suspects_that_give(const Values& actual, const Values& expected, const Model& model) {
    std::set<std::string> found;
    if (pairs_ && any_) {
        std::ranges::copy_if(suspects_, std::inserter(found, found.begin()), [&](const std::string& pair) {
            return !would_answer_otherwise(ways_of(pair), actual, model);
        });
        return found;
    }
    if (pairs_) {
        return pairs_->that_give(actual, expected, model);
    }
    for (const Mistake& mistake : catalogue()) {
        const bool may_be = !any_ || suspects_.contains(mistake.id);
        if (may_be && gives(mistake, actual, expected, model)) {
            found.insert(mistake.id);
        }
    }
    const auto is_this = [&](const Values& earlier) { return agrees(actual, earlier); };
    if (is_unmistakable(actual) && std::ranges::any_of(right_answers_, is_this)) {
        found.insert(remembered);
    }
    if (found.empty() && is_nearly(actual, expected)) {
        found.insert(nearly_right);
    }
    return found;
}

void Evidence::question(const std::vector<std::string>& suspects) {
    questioned_.emplace();
    for (const std::string& suspect : suspects) {
        asks_nearly_right_ = asks_nearly_right_ || suspect == nearly_right;
        if (std::vector<Way> ways = ways_of(suspect); !ways.empty()) {
            questioned_->emplace(suspect, std::move(ways));
        }
    }
}

void Evidence::search_pairs(const std::vector<std::string>& known) {
    pairs_.emplace(known, step_, streams_);
}

void Evidence::interrogate(bool right, const Values& answer, const Model& model) {
    if (right && is_out_of_time()) {
        return;
    }
    std::set<std::string>& spoken_against = right ? refuted_ : contrary_;
    for (const auto& [suspect, ways] : *questioned_) {
        if (spoken_against.contains(suspect)) {
            continue;
        }
        const bool is_pair = mistakes_in(suspect).size() > 1;
        if (is_pair ? !some_way_gives(ways, answer, model) : would_answer_otherwise(ways, answer, model)) {
            spoken_against.insert(suspect);
        }
    }
}

void Evidence::weigh(bool right, const Values& actual, const Values& expected, const Model& model) {
    is_wrong_ = is_wrong_ || !right;
    if (!right && !settled_ && asks_nearly_right_ && !is_nearly(actual, expected)) {
        contrary_.insert(nearly_right);
    }
    const bool counts = questioned_ ? !questioned_->empty() : !right;
    if (!settled_ && counts && covers(model, expected)) {
        if (questioned_) {
            interrogate(right, right ? expected : actual, model);
        } else {
            keep_common(suspects_that_give(actual, expected, model));
        }
    }
    if (right && !questioned_) {
        right_answers_.push_back(actual);
    }
}

void Evidence::weigh_refusal(const std::function<void(const Decisions&)>& model) {
    is_wrong_ = true;
    if (questioned_) {
        for (const auto& [suspect, ways] : *questioned_) {
            if (!some_way_refuses(ways, model)) {
                contrary_.insert(suspect);
            }
        }
        return;
    }
    std::set<std::string> found;
    for (const Mistake& mistake : catalogue()) {
        if (some_way_refuses(mistake.ways, model)) {
            found.insert(mistake.id);
        }
    }
    keep_common(found);
}

void Evidence::settle(const std::string& mistake) {
    if (!settled_) {
        suspects_ = {find(mistake).id};
        settled_ = true;
    }
}

void Evidence::keep_common(const std::set<std::string>& suspects) {
    if (settled_) {
        return;
    }
    std::set<std::string> common = suspects;
    if (any_) {
        common.clear();
        std::ranges::set_intersection(suspects_, suspects, std::inserter(common, common.begin()));
    }
    suspects_ = common;
    any_ = true;
}

}  // namespace workbook::mistakes
