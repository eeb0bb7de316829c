#include "tests/support/answer.hpp"

#include "tests/support/harness/graded.hpp"
#include "tests/support/harness/unchanged.hpp"

namespace workbook::grading {

namespace {

int compared = 0;

// The step that the running test belongs to; empty outside graded tests.
std::string running_step() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    for (const app::GradedTest& graded : graded_tests()) {
        if (test != nullptr && graded.suite == test->test_suite_name() && graded.name == test->name()) {
            return graded.step;
        }
    }
    return "";
}

}  // namespace

Inquiry& inquiry() {
    static Inquiry of_test;
    return of_test;
}

mistakes::Evidence& evidence() {
    static mistakes::Evidence evidence = [] {
        mistakes::Evidence of_test(running_step());
        if (inquiry().has_questions) {
            of_test.question(inquiry().suspects);
        } else if (inquiry().searches_pairs) {
            of_test.search_pairs(inquiry().suspects);
        }
        return of_test;
    }();
    return evidence;
}

void blame(const std::string& mistake) {
    evidence().settle(mistake);
}

bool& auditing_models() {
    static bool auditing = false;
    return auditing;
}

int compared_answers() {
    return compared;
}

void weigh(bool right, const Values& actual, const Values& expected, const mistakes::Model& model) {
    ++compared;
    if (right && auditing_models() && !mistakes::agrees(expected, model({}))) {
        ADD_FAILURE() << "the model without a mistake gives another answer than the one expected";
    }
    if (!inputs_have_changed()) {
        evidence().weigh(right, actual, expected, model);
    }
}

::testing::AssertionResult right_answer(const std::string& formula, const Values& actual, const Values& expected,
                                        const mistakes::Model& model) {
    ::testing::AssertionResult result =
        close_elements(formula, actual.shape, expected.shape, actual.elements, expected.elements);
    weigh(static_cast<bool>(result), actual, expected, model);
    return result;
}

}  // namespace workbook::grading
