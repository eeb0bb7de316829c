#include "app/base/system/machine.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "app/base/files.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

constexpr double no_quota = 1e9;

// The folder of this process's control group below a mount point. A container sees its own group at the mount point.
std::filesystem::path group_folder(const std::string& mount, const std::string& controller) {
    for (const std::string& line : lines_of(read_file("/proc/self/cgroup"))) {  // "0::/name", "4:cpu,cpuacct:/name"
        const std::size_t name = line.rfind(':');
        const bool is_it = controller.empty() ? line.starts_with("0::") : line.find(controller) != std::string::npos;
        if (is_it) {
            std::filesystem::path folder = mount + line.substr(name + 1);
            return std::filesystem::exists(folder) ? folder : std::filesystem::path(mount);
        }
    }
    return mount;
}

// Processors that the quotas of a group and of those above it pay for, each read by `quota_in`.
double smallest_quota(std::filesystem::path folder, const std::filesystem::path& mount,
                      const std::function<double(const std::filesystem::path&)>& quota_in) {
    double smallest = quota_in(folder);
    while (folder != mount && folder.has_relative_path() && folder != folder.parent_path()) {
        folder = folder.parent_path();
        smallest = std::min(smallest, quota_in(folder));
    }
    return smallest;
}

double quota_of_version_2() {
    const std::string mount = "/sys/fs/cgroup";
    return smallest_quota(group_folder(mount, ""), mount, [](const std::filesystem::path& folder) {
        std::istringstream text(read_file(folder / "cpu.max"));  // "50000 100000", "max 100000"
        double quota = 0;
        double period = 0;
        return text >> quota >> period && period > 0 ? quota / period : no_quota;
    });
}

double quota_of_version_1() {
    const std::string mount = "/sys/fs/cgroup/cpu";
    return smallest_quota(group_folder(mount, ":cpu"), mount, [](const std::filesystem::path& folder) {
        const double quota = std::atof(read_file(folder / "cpu.cfs_quota_us").c_str());
        const double period = std::atof(read_file(folder / "cpu.cfs_period_us").c_str());
        return quota > 0 && period > 0 ? quota / period : no_quota;
    });
}

double processors_of_affinity() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
#endif
    return std::thread::hardware_concurrency();
}

}  // namespace

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            return line.substr(line.find(": ") + 2);
        }
    }
    return "a processor of unknown name";
}

unsigned allowed_processors() {
    const double quota = std::min(quota_of_version_2(), quota_of_version_1());
    return static_cast<unsigned>(std::max(1.0, std::min(processors_of_affinity(), std::ceil(quota))));
}

std::string utc_date() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 16> text{};
    (void)std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now));
    return text.data();
}

}  // namespace workbook::app
