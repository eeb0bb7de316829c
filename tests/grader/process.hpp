/// @file
/// Runs a program in a process group of its own, within limits, and reads what it prints.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace workbook::grader {

/// Bounds of a run; 0 means none.
struct Limits {
    std::chrono::milliseconds wall_clock{0};
    std::size_t memory_bytes = 0;
};

/// How a run ended.
struct RunResult {
    int exit_code = -1;      ///< when it exited by itself
    int signal = 0;          ///< when a signal ended it
    bool timed_out = false;  ///< when it was ended because the time was up
    std::string output;      ///< standard output and standard error, the first 256 KiB

    [[nodiscard]] bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
};

/// Thrown out of a run after Ctrl-C; nothing that was started is left running.
struct Interrupted {};

/// Turns SIGINT, SIGTERM, SIGHUP and SIGQUIT into Interrupted; call once at the start.
void catch_interrupts();

/// Whether one of those signals came.
[[nodiscard]] bool was_interrupted();

/// Makes every run end with Interrupted until it is called with false: for results that nobody waits for any more.
void cancel_runs(bool cancel);

/// @throws Interrupted when a signal came or runs are cancelled
void expect_not_interrupted();

/// Runs `command` (program and arguments) with no standard input and waits for it. Whatever it left running is ended.
/// @param on_line  called with each line as it comes
/// @throws std::runtime_error when the program cannot be started
/// @throws Interrupted
[[nodiscard]] RunResult run(const std::vector<std::string>& command, const Limits& limits,
                            const std::function<void(const std::string& line)>& on_line = {});

}  // namespace workbook::grader
