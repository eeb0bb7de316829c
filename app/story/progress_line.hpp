/// @file
/// A line on standard error that says what is going on, when that is a terminal.
#pragma once

#include <chrono>
#include <string>

namespace workbook::story {

/// Shows one line that changes, and leaves nothing behind.
class ProgressLine {
public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine() { clear(); }

    /// Shows a line in place of the last one; not more than ten times a second.
    void show(const std::string& line);
    void clear();

private:
    bool on_terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace workbook::story
