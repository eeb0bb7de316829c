#include "app/base/group_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "app/base/files.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

// One process, as /proc/PID/stat tells it.
struct Process {
    pid_t id = 0;
    char state = ' ';
    pid_t parent = 0;
    pid_t group = 0;
    long ticks = 0;  // of processor time
};

// "17 (a name) R 1 17 …": the name may hold anything, so the fields are counted from its end.
Process process_in(const std::string& stat) {
    Process process;
    std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    std::string skipped;
    fields >> process.state >> process.parent >> process.group;
    for (int i = 0; i < 8; ++i) {
        fields >> skipped;
    }
    long user = 0;
    long system = 0;
    fields >> user >> system;
    process.id = static_cast<pid_t>(std::stol("0" + stat.substr(0, stat.find(' '))));
    process.ticks = user + system;
    return process;
}

// Calls `see` with every process; false on a system without /proc.
bool see_processes(const std::function<void(const Process&)>& see) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        const std::string stat =
            std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? read_file(entry.path() / "stat") : "";
        if (!stat.empty()) {  // else it has ended in between
            see(process_in(stat));
        }
    }
    return !error;
}

// Asleep, stopped, or ended and not yet waited for. What waits for a disk is at work.
bool is_at_rest(char state) {
    return state == 'S' || state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == 'I';
}

}  // namespace

std::optional<GroupUse> use_of_group(pid_t group) {
    GroupUse use;
    long ticks = 0;
    const bool can_tell = see_processes([&](const Process& process) {
        if (process.group == group) {
            use.rests = use.rests && is_at_rest(process.state);
            ticks += process.ticks;
        }
    });
    use.processor_time = std::chrono::milliseconds(ticks * 1000 / std::max(1L, sysconf(_SC_CLK_TCK)));
    return can_tell ? std::optional(use) : std::nullopt;
}

std::vector<pid_t> children_of_this_process() {
    std::vector<pid_t> children;
    see_processes([&](const Process& process) {
        if (process.parent == getpid()) {
            children.push_back(process.id);
        }
    });
    return children;
}

}  // namespace workbook::app
