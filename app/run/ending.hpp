/// @file
/// Limits for graded programs, and what to say of one that ended without a report.
#pragma once

#include <string>
#include <vector>

#include "app/base/system/process.hpp"

namespace workbook::app {

/// How graded programs are run.
struct RunMode {
    bool sanitized = false;  ///< built with sanitizers: they need more time, and limit the memory themselves
    bool hurried = false;    ///< another test of the program ran out of time already: less time for this one
    unsigned jobs = 0;       ///< tests at once; 0: as many as there are processors that may be used
    std::string inquiry{};   ///< one more option of the program, such as the question about suspects
};

/// Bounds for one test, on processor time and on time at rest: right code does not fail on a machine that is slow or
/// busy, however long it takes by the wall clock.
[[nodiscard]] Limits test_limits(const RunMode& mode);

/// Environment variables for graded programs.
[[nodiscard]] std::vector<std::string> test_environment();

/// Why a run ended before the test did, with the likely cause.
[[nodiscard]] std::string explain(const RunResult& run, const RunMode& mode);

}  // namespace workbook::app
