/// @file
/// How the headers mark which functions are yours and which are given.
#pragma once

#include <stdexcept>
#include <string>

/// Marks a function that a learner writes; everything without this mark is given.
///
/// In an exercise the mark makes the definition replaceable by the worked one, so that a later step can be graded on
/// top of worked earlier steps. It does not change how the function is written or called.
#ifdef WORKBOOK_EXERCISE
#define WORKBOOK_STEP [[gnu::weak]]
#else
#define WORKBOOK_STEP
#endif

namespace workbook {

/// Thrown by a step that is still empty. The grader reports it as "not attempted", never as a failure.
class NotImplemented : public std::logic_error {
public:
    /// @param step number and name of the empty step, such as "1.2 softmax_rows"
    explicit NotImplemented(const std::string& step) : NotImplemented(step, "is not implemented yet") {}

    /// The number and name.
    [[nodiscard]] const std::string& step() const { return step_; }

protected:
    NotImplemented(const std::string& step, const std::string& why) : std::logic_error(step + " " + why), step_(step) {}

private:
    std::string step_;
};

/// Thrown by the stand-in for a function that a learner's file lacks, or has only with other parameters.
class NotDefined : public NotImplemented {
public:
    /// @param step as above
    explicit NotDefined(const std::string& step) : NotImplemented(step, "is not defined, or with other parameters") {}
};

}  // namespace workbook
