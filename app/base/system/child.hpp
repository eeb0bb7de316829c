/// @file
/// A program that was started with limits, its input and its output.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/base/system/process.hpp"

namespace workbook::app {

/// A running program, in a process group of its own. Between it and this process stands a supervisor, which waits for
/// it and tells how it ended: a program that signals its parent or its group meets the supervisor and nobody else.
/// Without privileges nothing keeps a program from signalling every process of its user, nor one that it starts from
/// leaving the group.
class Child {
public:
    /// @throws std::system_error when no process can be made
    Child(const std::vector<std::string>& command, const Limits& limits, const Setting& setting);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    /// Ends whatever still runs.
    ~Child();

    /// The process group.
    [[nodiscard]] pid_t group() const { return pid_; }
    /// Ends every process of the group at once.
    void kill_group() const;
    /// Asks every process of the group to end, and ends after a moment what did not: a build removes half-written
    /// files.
    void stop_group();
    /// Waits a little for output and adds it to `text`. False at the end of the output.
    [[nodiscard]] bool read_some(std::string& text) const;
    [[nodiscard]] bool has_ended();
    /// Fills in how it ended. False when it could not be started.
    [[nodiscard]] bool describe(RunResult& result) const;

private:
    pid_t pid_ = -1;   // the supervisor
    int output_ = -1;  // the program's standard output and standard error
    int ending_ = -1;  // what the supervisor tells
    int status_ = 0;
    bool ended_ = false;
    Limits limits_;
};

/// Lets processes whose parent has ended become children of this one (where the system can), so that end_orphans finds
/// them. Call once at the start.
void adopt_orphans();

/// Ends every child of this process that is no running Child: processes that a program started and left behind.
void end_orphans();

/// The strings as exec takes them, without the null pointer at the end. They outlive the pointers; exec does not write
/// to them.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& strings);

}  // namespace workbook::app
