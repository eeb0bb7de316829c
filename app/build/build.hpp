/// @file
/// Builds targets of a build folder, one command at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/steps/project.hpp"

namespace workbook::app {

/// Keeps two checks in one build folder apart: the second one says that it waits, and waits.
class BuildLock {
public:
    /// @throws Interrupted while it waits
    explicit BuildLock(const std::filesystem::path& build_dir);
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;
    ~BuildLock();

private:
    int file_;
    void wait() const;
};

/// How a build ended.
struct BuildResult {
    bool succeeded = false;
    std::string log;  ///< everything the build printed
};

/// Builds targets in the build folder of a project, within limits. Shows a line of progress on a terminal when it takes
/// a while.
[[nodiscard]] BuildResult build(const Project& project, const std::vector<std::string>& targets);

}  // namespace workbook::app
