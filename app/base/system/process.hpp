/// @file
/// Runs a program in a process group of its own, within limits, and reads what it prints.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace workbook::app {

/// Bounds of a run; 0 means none.
struct Limits {
    /// By the wall clock, whatever the program does: on a busy machine it may not have come to anything.
    std::chrono::milliseconds wall_clock{0};
    /// Time that it has been asleep or stopped, less the time that it has been at work. What waits for a processor does
    /// not rest. Where the system does not tell, ten times as long by the wall clock.
    std::chrono::milliseconds rest{0};
    std::size_t memory_bytes = 0;
    std::chrono::seconds processor_time{0};  ///< of each process
    std::size_t stack_bytes = 0;
    std::size_t file_bytes = 0;  ///< of each file that is written
    std::size_t processes =
        0;  ///< that there are at a time: itself and all that it has started, where the system tells
};

/// What a program finds when it starts.
struct Setting {
    std::string input;                     ///< its standard input, a few hundred bytes at most
    std::filesystem::path folder;          ///< its working directory; empty for the present one
    std::vector<std::string> environment;  ///< "NAME=value", in addition to what there is
};

/// How a run ended.
struct RunResult {
    int exit_code = -1;                  ///< when it exited by itself
    int signal = 0;                      ///< when a signal ended it
    bool timed_out = false;              ///< when it was ended because the time by the wall clock, or of rest, was up
    bool out_of_processor_time = false;  ///< when it was ended because the processor time was used up
    bool too_many_processes = false;     ///< when it was ended because it had started so many
    std::chrono::milliseconds processor_time{0};  ///< that it has used, as far as is known when it is ended
    std::string output;                           ///< standard output and standard error, the first 256 KiB

    [[nodiscard]] bool ended_by_itself() const { return signal == 0 && !timed_out && !too_many_processes; }
    [[nodiscard]] bool succeeded() const { return exit_code == 0 && ended_by_itself(); }
};

/// How a process ended, from the status that waitpid gives: its exit code or its signal.
[[nodiscard]] RunResult ending_of(int status);

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

/// Runs `command` (program and arguments) and waits for it. Whatever it left running is ended.
/// @param on_line  called with each line as it comes
/// @throws std::runtime_error when the program cannot be started
/// @throws Interrupted
[[nodiscard]] RunResult run(const std::vector<std::string>& command, const Limits& limits,
                            const std::function<void(const std::string& line)>& on_line = {},
                            const Setting& setting = {});

/// Everything that a program of the system prints, however much; empty when there is no such program.
/// @throws Interrupted
[[nodiscard]] std::string everything_printed_by(const std::vector<std::string>& command);

}  // namespace workbook::app
