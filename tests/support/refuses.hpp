/// @file
/// Says whether a call is refused with the right kind of exception.
#pragma once

#include <gtest/gtest.h>

#include <exception>

#include "step.hpp"

namespace workbook::grading {

/// Success when `call` throws an Error; a step that is not implemented passes through.
template <class Error, class Call>
[[nodiscard]] ::testing::AssertionResult refuses(const char* what, Call call) {
    try {
        call();
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error&) {
        return ::testing::AssertionSuccess();
    } catch (const std::exception& error) {
        return ::testing::AssertionFailure() << what << " threw another kind of exception: " << error.what();
    }
    return ::testing::AssertionFailure() << what << " was not refused: nothing was thrown";
}

}  // namespace workbook::grading
