#include "answer.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "graded.hpp"
#include "model.hpp"

namespace workbook::grading {

namespace {

// Like is_close, but NaN equals NaN, and a mistake that reads memory nobody wrote may give anything there.
bool is_same(double actual, double of_mistake) {
    return of_mistake == mistakes::anything || (std::isnan(actual) && std::isnan(of_mistake)) ||
           is_close(actual, of_mistake);
}

bool agree(const Values& actual, const Values& of_mistake) {
    return actual.shape == of_mistake.shape && std::ranges::equal(actual.elements, of_mistake.elements, is_same);
}

// Whether one of the ways to make the mistake gives `actual`, and something else than the right answer.
bool gives(const mistakes::Mistake& mistake, const Model& model, const Values& actual, const Values& expected) {
    return std::ranges::any_of(mistake.models, [&](const mistakes::Change& change) {
        mistakes::Decisions decisions;
        change(decisions);
        try {
            const Values answer = model(decisions);
            return agree(actual, answer) && !agree(expected, answer);
        } catch (const std::exception&) {
            return false;  // the mistake cannot be made with these extents
        }
    });
}

// The step that the running test belongs to; empty outside graded tests.
std::string running_step() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    for (const GradedTest& graded : graded_tests()) {
        if (test != nullptr && graded.suite == test->test_suite_name() && graded.name == test->name()) {
            return graded.step;
        }
    }
    return "";
}

// Mistakes in a streaming pass have models for many sizes of a tile; no other step makes such a pass.
bool can_be_made(const mistakes::Mistake& mistake, const std::string& step) {
    return mistake.step != "3.5" || step == "3.5";
}

// Of the mistakes that give all wrong answers of the test before: there are many models, and most are ruled out by the
// first answer.
std::set<std::string> mistakes_that_give(const Model& model, const Values& actual, const Values& expected) {
    const std::string step = running_step();
    std::set<std::string> found;
    for (const mistakes::Mistake& mistake : mistakes::catalogue()) {
        if (evidence().may_be(mistake.id) && can_be_made(mistake, step) && gives(mistake, model, actual, expected)) {
            found.insert(mistake.id);
        }
    }
    return found;
}

bool refuses(const std::function<void(const mistakes::Decisions&)>& model, const mistakes::Change& change) {
    mistakes::Decisions decisions;
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

// A right answer speaks for every questioned mistake that gives it too, and against the others.
void question(const Model& model, const Values& expected) {
    for (const std::string& id : questioned_mistakes()) {
        const mistakes::Mistake& mistake = mistakes::find(id);
        const bool shows = std::ranges::none_of(mistake.models, [&](const mistakes::Change& change) {
            mistakes::Decisions decisions;
            change(decisions);
            try {
                return agree(expected, model(decisions));
            } catch (const std::exception&) {
                return true;
            }
        });
        if (shows) {
            evidence().refute(id);
        }
    }
}

}  // namespace

void Evidence::wrong_answer(const std::set<std::string>& mistakes) {
    std::set<std::string> common = mistakes;
    if (any_) {
        common.clear();
        std::ranges::set_intersection(suspects_, mistakes, std::inserter(common, common.begin()));
    }
    suspects_ = common;
    any_ = true;
}

Evidence& evidence() {
    static Evidence evidence;
    return evidence;
}

void blame(const std::string& mistake) {
    evidence().wrong_answer({mistakes::find(mistake).id});
}

std::vector<std::string>& questioned_mistakes() {
    static std::vector<std::string> mistakes;
    return mistakes;
}

bool& auditing_models() {
    static bool auditing = false;
    return auditing;
}

bool weigh(bool right, const Values& actual, const Values& expected, const Model& model) {
    const bool only_right_answers_count = !questioned_mistakes().empty();
    if (!right && only_right_answers_count) {
        return true;
    }
    if (!right) {
        const std::set<std::string> mistakes = mistakes_that_give(model, actual, expected);
        evidence().wrong_answer(mistakes);
        return !mistakes.empty();
    }
    question(model, expected);
    if (auditing_models() && !agree(expected, model({}))) {
        ADD_FAILURE() << "the model without a mistake gives another answer than the one expected";
    }
    return true;
}

void weigh_refusal(const std::function<void(const mistakes::Decisions&)>& model) {
    std::set<std::string> found;
    for (const mistakes::Mistake& mistake : mistakes::catalogue()) {
        if (std::ranges::any_of(mistake.models, [&](const auto& change) { return refuses(model, change); })) {
            found.insert(mistake.id);
        }
    }
    evidence().wrong_answer(found);
}

::testing::AssertionResult right_answer(const std::string& formula, const Values& actual, const Values& expected,
                                        const Model& model) {
    ::testing::AssertionResult result =
        close_elements(formula, actual.shape, expected.shape, actual.elements, expected.elements);
    if (!weigh(static_cast<bool>(result), actual, expected, model)) {
        result << "\n  none of the known mistakes gives this";
    }
    return result;
}

}  // namespace workbook::grading
