/// @file
/// The commands of ./workbook beside check: each prints to standard output and gives an exit code.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "check.hpp"

namespace workbook::grader {

/// Exit codes, as ./workbook help explains them.
constexpr int all_passed = 0;
constexpr int not_all_passed = 1;
constexpr int wrong_use = 2;
constexpr int broken_workbook = 3;
constexpr int interrupted_by_user = 130;

/// An argument that names nothing, or a command that cannot work here; the message says which and why.
class WrongUse : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Where results go.
struct Output {
    bool verbose = false;  ///< the messages of all failing tests, and all that the compiler says
    bool json = false;     ///< a JSON document on standard output, instead of a report to read
    std::string junit{};   ///< a file for JUnit XML; empty for none
};

/// Grades and reports.
int check(const Folders& folders, const Request& request, const Output& output);

/// Where the learner is and what is next.
int overview(const Folders& folders);

/// The steps of the given parts, with points and state.
int list(const Folders& folders, const std::vector<int>& parts);

/// The next hint of a step.
/// @throws WrongUse when there is no such step
int hint(const Folders& folders, const std::string& step);

/// The worked step; asks first while the learner's does not pass. 1 when it was not shown.
/// @throws WrongUse when there is no such step
int solution(const Folders& folders, const std::string& step);

/// The learner's steps beside the worked ones, where they differ; asks before it shows those that do not pass.
int diff(const Folders& folders, int part);

/// The empty exercise in place of the learner's file, which is kept as a backup; asks first. 1 when it was not done.
int reset(const Folders& folders, int part);

/// Makes a part the current one.
/// @param carry  grade it on top of the learner's files for the other parts
int start(const Folders& folders, int part, bool carry);

/// @throws WrongUse with all steps when there is no such one
void expect_step(const Folders& folders, const std::string& step);

}  // namespace workbook::grader
