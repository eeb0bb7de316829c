#include "tests/support/harness/graded.hpp"

#include <exception>
#include <new>

#include "app/base/text.hpp"
#include "app/results/exception_text.hpp"
#include "app/results/protocol.hpp"
#include "part1_mha/step.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/harness/guard.hpp"

namespace workbook::grading {

namespace {

int not_attempted = 0;

}  // namespace

int not_attempted_count() {
    return not_attempted;
}

std::vector<app::GradedTest>& graded_tests() {
    static std::vector<app::GradedTest> tests;
    return tests;
}

bool register_graded(const app::GradedTest& test) {
    graded_tests().push_back(test);
    return true;
}

namespace {

std::string listed(const std::set<std::string>& mistakes) {
    return app::joined({mistakes.begin(), mistakes.end()}, ",");
}

// Tells the grader which mistakes the wrong answers of this test point at.
void report_evidence() {
    ::testing::Test::RecordProperty(compared_property, compared_answers());
    ::testing::Test::RecordProperty(suspects_property, listed(evidence().suspects()));
    ::testing::Test::RecordProperty(refuted_property, listed(evidence().refuted()));
    ::testing::Test::RecordProperty(contrary_property, listed(evidence().contrary()));
    if (evidence().is_unexplained()) {
        ::testing::Test::RecordProperty(unexplained_property, "yes");
    }
}

void run_body(void (*body)(), const char* file, int line) {
    try {
        body();
    } catch (const NotImplemented& error) {
        ++not_attempted;
        ::testing::Test::RecordProperty(missing_property, error.step());
        if (dynamic_cast<const NotDefined*>(&error) != nullptr) {
            ::testing::Test::RecordProperty(undefined_property, "yes");
        }
        GTEST_SKIP() << error.what();
    } catch (const std::bad_alloc&) {
        ADD_FAILURE_AT(file, line) << "asked for more memory than a test may have";
    } catch (const std::exception& error) {
        ADD_FAILURE_AT(file, line) << "threw an exception that the test does not expect:\n" << explained(error);
    } catch (...) {
        ADD_FAILURE_AT(file, line) << "threw something that is not a std::exception";
    }
}

}  // namespace

void run_graded(void (*body)(), const char* file, int line) {
    run_body(body, file, line);
    for (const std::string& trouble : left_behind()) {
        ADD_FAILURE_AT(file, line) << trouble;
    }
    report_evidence();
    sign_report();
}

void remark(const std::string& text) {
    ::testing::Test::RecordProperty("remark", text);
}

}  // namespace workbook::grading
