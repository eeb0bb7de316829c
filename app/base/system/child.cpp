#include "app/base/system/child.hpp"

#include <fcntl.h>
#include <poll.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <set>
#include <system_error>

#include "app/base/system/family_use.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's headers declare it

namespace workbook::app {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// What the supervisor tells; or the new process itself, when it could not become the program.
struct Ending {
    bool started = true;
    int status = 0;
    rusage usage{};
};

std::chrono::microseconds processor_time(const rusage& usage) {
    return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Held while a program is started, and while what is no running program is looked for.
std::mutex& starting() {
    static std::mutex mutex;
    return mutex;
}

// The supervisors of all running programs.
std::set<pid_t>& supervisors() {
    static std::set<pid_t> all;
    return all;
}

// A pipe that other programs do not inherit.
struct Pipe {
    Pipe() {
        if (pipe(ends.data()) != 0) {
            fail("pipe");
        }
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    }
    std::array<int, 2> ends{};  // to read from, to write to
};

// All that a new process needs, made before fork: after it, only calls that are safe there.
struct Start {
    std::vector<char*> arguments;
    std::vector<char*> environment;
    const char* folder = nullptr;
    Limits limits;
    int input = -1;
    int output = -1;
    int ending = -1;
};

void limit(decltype(RLIMIT_CORE) resource, rlim_t most) {
    if (most != 0) {
        const rlimit bound{most, most};
        setrlimit(resource, &bound);
    }
}

void die_with_parent() {
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

[[noreturn]] void tell(const Start& start, const Ending& ending) {
    const bool told = write(start.ending, &ending, sizeof ending) == sizeof ending;
    _exit(told ? 0 : 1);
}

[[noreturn]] void become(const Start& start) {
    die_with_parent();
    dup2(start.input, STDIN_FILENO);
    dup2(start.output, STDOUT_FILENO);
    dup2(start.output, STDERR_FILENO);
    if (start.folder != nullptr && chdir(start.folder) != 0) {
        tell(start, {false});
    }
    limit(RLIMIT_AS, start.limits.memory_bytes);
    limit(RLIMIT_CPU, static_cast<rlim_t>(start.limits.processor_time.count()));
    limit(RLIMIT_STACK, start.limits.stack_bytes);
    limit(RLIMIT_FSIZE, start.limits.file_bytes);
    const rlimit no_core_file{0, 0};
    setrlimit(RLIMIT_CORE, &no_core_file);
    environ = const_cast<char**>(start.environment.data());
    execvp(start.arguments[0], start.arguments.data());
    tell(start, {false});
}

[[noreturn]] void supervise(const Start& start) {
    setpgid(0, 0);
    die_with_parent();
    const pid_t program = fork();
    if (program == 0) {
        become(start);
    }
    Ending ending;
    while (wait4(program, &ending.status, 0, &ending.usage) < 0 && errno == EINTR) {
    }
    tell(start, ending);
}

}  // namespace

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    pointers.reserve(strings.size() + 1);
    for (const std::string& text : strings) {
        pointers.push_back(const_cast<char*>(text.c_str()));
    }
    return pointers;
}

Child::Child(const std::vector<std::string>& command, const Limits& limits, const Setting& setting) : limits_(limits) {
    Start start{pointers_to(command), pointers_to(setting.environment), nullptr, limits};
    start.arguments.push_back(nullptr);
    for (char** variable = environ; *variable != nullptr; ++variable) {
        start.environment.push_back(*variable);  // behind the added ones, which therefore win
    }
    start.environment.push_back(nullptr);
    start.folder = setting.folder.empty() ? nullptr : setting.folder.c_str();
    // One start at a time: a program started by another thread must not inherit this one's pipes.
    const std::lock_guard<std::mutex> lock(starting());
    const Pipe input;
    const Pipe output;
    const Pipe ending;
    start.input = input.ends[0];
    start.output = output.ends[1];
    start.ending = ending.ends[1];
    // Fits into the pipe, so this does not wait for a reader.
    const bool given = write(input.ends[1], setting.input.data(), setting.input.size()) >= 0;
    pid_ = given ? fork() : -1;
    if (pid_ < 0) {
        fail("fork");
    }
    if (pid_ == 0) {
        close(input.ends[1]);
        supervise(start);
    }
    supervisors().insert(pid_);
    setpgid(pid_, pid_);  // here too, so that it holds whichever process runs first
    for (const int end : {input.ends[0], input.ends[1], output.ends[1], ending.ends[1]}) {
        close(end);
    }
    output_ = output.ends[0];
    ending_ = ending.ends[0];
    fcntl(ending_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
    kill_group();
    if (!ended_) {
        waitpid(pid_, &status_, 0);
    }
    close(output_);
    close(ending_);
    const std::lock_guard<std::mutex> lock(starting());
    supervisors().erase(pid_);
}

void adopt_orphans() {
#if defined(__linux__)
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

void end_orphans() {
    const std::lock_guard<std::mutex> lock(starting());
    // An orphan may have started others, which come to this process when it ends.
    for (bool found = true; found;) {
        found = false;
        for (const pid_t child : children_of_this_process()) {
            if (!supervisors().contains(child)) {
                kill(child, SIGKILL);
                waitpid(child, nullptr, 0);
                found = true;
            }
        }
    }
}

void Child::kill_group() const {
    kill(-pid_, SIGKILL);
}

void Child::stop_group() {
    kill(-pid_, SIGTERM);
    for (int i = 0; i < 200 && kill(-pid_, 0) == 0; ++i) {
        static_cast<void>(has_ended());
        usleep(10'000);
    }
    kill_group();
}

bool Child::read_some(std::string& text) const {
    pollfd poll_output{output_, POLLIN, 0};
    if (poll(&poll_output, 1, 10) <= 0) {
        return true;
    }
    std::array<char, 4096> buffer{};
    const ssize_t n = read(output_, buffer.data(), buffer.size());
    if (n > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return n > 0 || (n < 0 && errno == EINTR);
}

bool Child::has_ended() {
    ended_ = ended_ || waitpid(pid_, &status_, WNOHANG) == pid_;
    return ended_;
}

bool Child::describe(RunResult& result) const {
    Ending ending;
    if (read(ending_, &ending, sizeof ending) != sizeof ending) {
        ending.status = status_;  // the supervisor was ended, so it tells nothing
    }
    const RunResult ended = ending_of(ending.status);
    result.exit_code = ended.exit_code;
    result.signal = ended.signal;
    result.processor_time = std::max(
        result.processor_time, std::chrono::duration_cast<std::chrono::milliseconds>(processor_time(ending.usage)));
    if (result.signal != 0) {
        // Systems count the time for the limit in another way than the time they tell, so this cannot be exact.
        result.out_of_processor_time = result.signal == SIGKILL && limits_.processor_time.count() != 0 &&
                                       2 * processor_time(ending.usage) > limits_.processor_time;
    }
    return ending.started;
}

}  // namespace workbook::app
