/// @file
/// An end for calls that have none.
#pragma once

namespace workbook::story {

/// Ends the program with the signal SIGPROF when it uses that much processor time while the object lives. There can be
/// one such object at a time.
class ProcessorTimeLimit {
public:
    explicit ProcessorTimeLimit(double seconds);
    ProcessorTimeLimit(const ProcessorTimeLimit&) = delete;
    ProcessorTimeLimit& operator=(const ProcessorTimeLimit&) = delete;
    ~ProcessorTimeLimit();
};

}  // namespace workbook::story
