/// @file
/// Runs programs with the terminal that this one has.
#pragma once

#include <string>
#include <vector>

#include "app/base/system/process.hpp"

namespace workbook::app {

/// Starts the last command with this program's input and output, and waits for it. Each command before it writes to the
/// input of the next one, says nothing else, and is ended when the last one has ended.
/// @return how the last one ended; its output went to the terminal
/// @throws std::runtime_error when a program cannot be started
/// @throws Interrupted after Ctrl-C; nothing is left running
[[nodiscard]] RunResult run_in_foreground(const std::vector<std::vector<std::string>>& pipeline);

}  // namespace workbook::app
