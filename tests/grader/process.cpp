#include "process.hpp"

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
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <stdexcept>
#include <system_error>

namespace workbook::grader {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_output = std::size_t{256} * 1024;

volatile std::sig_atomic_t interrupted = 0;
std::atomic<bool> cancelled = false;

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// Everything between fork and exec; only calls that are safe there.
[[noreturn]] void become(char* const* arguments, const Limits& limits, int output) {
    setpgid(0, 0);
    const int input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (limits.memory_bytes != 0) {
        const rlimit memory{limits.memory_bytes, limits.memory_bytes};
        setrlimit(RLIMIT_AS, &memory);
    }
    if (limits.wall_clock.count() != 0) {
        // Ends an endless loop even when nobody is left to watch the clock; children may use all cores for a while.
        const auto seconds = static_cast<rlim_t>(limits.wall_clock.count() / 1000 * 4 + 1);
        const rlimit processor_time{seconds, seconds};
        setrlimit(RLIMIT_CPU, &processor_time);
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    execvp(arguments[0], arguments);
    _exit(127);
}

// The started program, its output, and what has been read of it.
class Child {
public:
    Child(const std::vector<std::string>& command, const Limits& limits) {
        std::vector<char*> arguments;
        arguments.reserve(command.size() + 1);
        for (const std::string& argument : command) {
            arguments.push_back(const_cast<char*>(argument.c_str()));  // execvp does not write to them
        }
        arguments.push_back(nullptr);
        // One start at a time: a program started by another thread must not inherit this one's pipe.
        static std::mutex starting;
        const std::lock_guard<std::mutex> lock(starting);
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) {
            fail("pipe");
        }
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        pid_ = fork();
        if (pid_ < 0) {
            fail("fork");
        }
        if (pid_ == 0) {
            become(arguments.data(), limits, ends[1]);
        }
        setpgid(pid_, pid_);  // here too, so that it holds whichever process runs first
        close(ends[1]);
        output_ = ends[0];
    }

    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    ~Child() {
        kill_group();
        if (!ended_) {
            waitpid(pid_, &status_, 0);
        }
        close(output_);
    }

    void kill_group() const { kill(-pid_, SIGKILL); }

    // Waits a little for output and reads it. False at the end of the output.
    bool read_some(std::string& text) const {
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

    bool has_ended() {
        ended_ = ended_ || waitpid(pid_, &status_, WNOHANG) == pid_;
        return ended_;
    }

    void describe(RunResult& result) const {
        if (WIFEXITED(status_)) {
            result.exit_code = WEXITSTATUS(status_);
        } else if (WIFSIGNALED(status_)) {
            result.signal = WTERMSIG(status_);
        }
    }

private:
    pid_t pid_ = -1;
    int output_ = -1;
    int status_ = 0;
    bool ended_ = false;
};

// Passes complete lines on and keeps the rest.
void pass_lines(std::string& pending, const std::function<void(const std::string&)>& on_line) {
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
        if (on_line) {
            on_line(pending.substr(0, end));
        }
        pending.erase(0, end + 1);
    }
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGHUP, &action, nullptr);
    sigaction(SIGQUIT, &action, nullptr);
}

bool was_interrupted() {
    return interrupted != 0;
}

void cancel_runs(bool cancel) {
    cancelled = cancel;
}

void expect_not_interrupted() {
    if (interrupted != 0 || cancelled) {
        throw Interrupted{};
    }
}

RunResult run(const std::vector<std::string>& command, const Limits& limits,
              const std::function<void(const std::string& line)>& on_line) {
    const auto start = Clock::now();
    RunResult result;
    Child child(command, limits);
    std::string pending;
    bool output_open = true;
    auto end = Clock::time_point::max();  // when to stop reading what an ended program's children may still print
    while (!child.has_ended() || output_open) {
        std::string text;
        if (output_open) {
            output_open = child.read_some(text);
        } else {
            usleep(1000);
        }
        result.output += text.substr(0, max_output - std::min(max_output, result.output.size()));
        pending += text;
        pass_lines(pending, on_line);
        expect_not_interrupted();
        if (limits.wall_clock.count() != 0 && Clock::now() - start > limits.wall_clock) {
            result.timed_out = true;
            child.kill_group();
            output_open = false;
        }
        if (child.has_ended()) {
            child.kill_group();  // whatever it left running, which may also hold the output open
            end = std::min(end, Clock::now() + std::chrono::milliseconds(500));
            output_open = output_open && Clock::now() < end;
        }
    }
    child.describe(result);
    if (result.exit_code == 127 && result.output.empty()) {
        throw std::runtime_error("cannot run " + command.front());
    }
    return result;
}

}  // namespace workbook::grader
