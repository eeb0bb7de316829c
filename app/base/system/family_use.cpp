#include "app/base/system/family_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
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

// Every process of the system; none on a system without /proc.
std::vector<Process> processes() {
    std::vector<Process> all;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        const std::string stat =
            std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? read_file(entry.path() / "stat") : "";
        if (!stat.empty()) {  // else it has ended in between
            all.push_back(process_in(stat));
        }
    }
    return all;
}

// Moves to the front those of a process's group and all that they have started, in whichever groups. Returns their end.
std::vector<Process>::iterator family_first(std::vector<Process>& all, pid_t head) {
    auto end = std::partition(all.begin(), all.end(), [&](const Process& process) { return process.group == head; });
    for (auto known = all.begin(); known != end; ++known) {
        end = std::partition(end, all.end(), [&](const Process& process) { return process.parent == known->id; });
    }
    return end;
}

// Asleep, stopped, or ended and not yet waited for. What waits for a disk is at work.
bool is_at_rest(char state) {
    return state == 'S' || state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == 'I';
}

}  // namespace

std::optional<Use> use_of_family(pid_t head) {
    std::vector<Process> all = processes();
    const auto end = family_first(all, head);
    if (end == all.begin()) {
        return std::nullopt;
    }
    Use use;
    use.processes = static_cast<std::size_t>(end - all.begin());
    long ticks = 0;
    for (auto process = all.begin(); process != end; ++process) {
        use.rests = use.rests && is_at_rest(process->state);
        ticks += process->ticks;
    }
    use.processor_time = std::chrono::milliseconds(ticks * 1000 / std::max(1L, sysconf(_SC_CLK_TCK)));
    return use;
}

std::vector<pid_t> children_of_this_process() {
    std::vector<pid_t> children;
    for (const Process& process : processes()) {
        if (process.parent == getpid()) {
            children.push_back(process.id);
        }
    }
    return children;
}

}  // namespace workbook::app
