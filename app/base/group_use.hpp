/// @file
/// What the processes of a group do at the moment.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <vector>

namespace workbook::app {

/// A look at the processes of a group.
struct GroupUse {
    bool rests = true;  ///< every one of them is asleep or stopped; none waits for a processor
    std::chrono::milliseconds processor_time{0};  ///< that they have used
};

/// Looks at the processes of a group. None on a system that does not tell (without /proc).
[[nodiscard]] std::optional<GroupUse> use_of_group(pid_t group);

/// The processes whose parent is this one. Empty on a system that does not tell.
[[nodiscard]] std::vector<pid_t> children_of_this_process();

}  // namespace workbook::app
