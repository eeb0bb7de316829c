/// @file
/// The error of a story that cannot be told as it was asked for.
#pragma once

#include <stdexcept>

namespace workbook::story {

/// What was asked for cannot be done, or not with this model; the message says why.
class WrongRequest : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace workbook::story
