/// @file
/// How the header tells your functions from the given ones.
#pragma once

#include <stdexcept>
#include <string>

/// Marks a function that a learner writes; everything without this mark is given.
///
/// In an exercise the mark makes the definition replaceable by the worked one, so that a later step can be graded on
/// worked earlier steps. It changes nothing about how the function is written or called.
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
    explicit NotImplemented(const std::string& step) : std::logic_error(step + " is not implemented yet") {}
};

}  // namespace workbook
