/// @file
/// What a process and those that it has started do at the moment.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace workbook::app {

/// A look at several processes.
struct Use {
    std::size_t processes = 0;
    bool rests = true;  ///< every one of them is asleep or stopped; none waits for a processor
    std::chrono::milliseconds processor_time{0};  ///< that they have used
};

/// Looks at the group that a process heads and at everything that its members have started, which may be in groups of
/// its own, as the compilers of a build are. None on a system that does not tell (without /proc).
[[nodiscard]] std::optional<Use> use_of_family(pid_t head);

/// The processes whose parent is this one. Empty on a system that does not tell.
[[nodiscard]] std::vector<pid_t> children_of_this_process();

}  // namespace workbook::app
