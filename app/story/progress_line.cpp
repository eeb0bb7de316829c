#include "app/story/progress_line.hpp"

#include <unistd.h>

#include <iostream>

namespace workbook::story {

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) != 0) {
}

void ProgressLine::show(const std::string& line) {
    const auto now = std::chrono::steady_clock::now();
    if (on_terminal_ && now >= next_) {
        std::cerr << "\r\x1b[K  " << line << std::flush;
        shown_ = true;
        next_ = now + std::chrono::milliseconds(100);
    }
}

void ProgressLine::clear() {
    if (shown_) {
        std::cerr << "\r\x1b[K" << std::flush;
    }
    shown_ = false;
    next_ = {};
}

}  // namespace workbook::story
