/// @file
/// Builds targets of a build folder, one command at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

/// Builds targets of an existing build folder. Shows a line of progress on a terminal when it takes a while.
[[nodiscard]] BuildResult build(const std::filesystem::path& build_dir, const std::vector<std::string>& targets);

}  // namespace workbook::app
