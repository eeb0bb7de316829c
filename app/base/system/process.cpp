#include "app/base/system/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <optional>
#include <stdexcept>

#include "app/base/system/child.hpp"
#include "app/base/system/family_use.hpp"

namespace workbook::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_output = std::size_t{256} * 1024;

volatile std::sig_atomic_t interrupted = 0;
std::atomic<bool> cancelled = false;

bool is_stopped() {
    return interrupted != 0 || cancelled;
}

// Passes complete lines on and keeps the rest.
void pass_lines(std::string& pending, const std::function<void(const std::string&)>& on_line) {
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
        on_line(pending.substr(0, end));
        pending.erase(0, end + 1);
    }
}

// Says when a run has to end: its time by the wall clock, or of rest, is up, or it has started too many processes.
class Watch {
public:
    explicit Watch(const Limits& limits) : limits_(limits) {}

    // Notes in the result why, and the processor time when it looks at the processes.
    [[nodiscard]] bool has_to_end(pid_t group, RunResult& result) {
        const auto now = Clock::now();
        if (limits_.wall_clock.count() != 0 && now - start_ > limits_.wall_clock) {
            result.timed_out = true;
        } else if (limits_.rest.count() != 0 && now - looked_ >= between_looks) {
            looked_ = now;
            look(use_of_family(group), result);
        }
        return result.timed_out || result.too_many_processes;
    }

private:
    static constexpr std::chrono::milliseconds between_looks{200};

    void look(const std::optional<Use>& use, RunResult& result) {
        if (!use) {
            result.timed_out = looked_ - start_ > 10 * limits_.rest;
            return;
        }
        result.processor_time = use->processor_time;
        result.too_many_processes = limits_.processes != 0 && use->processes > limits_.processes;
        // One look stands for the time between two, however long ago the last one was: this process may have rested
        // too. Work makes up for rest: a long build rests for a moment now and then.
        rested_ = use->rests ? rested_ + between_looks : std::max(rested_ - between_looks, Clock::duration::zero());
        result.timed_out = rested_ > limits_.rest;
    }

    Limits limits_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point looked_ = start_;
    Clock::duration rested_{0};
};

}  // namespace

RunResult ending_of(int status) {
    RunResult result;
    if (WIFEXITED(status)) {
        result.exit_code = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
    }
    return result;
}

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
    if (is_stopped()) {
        throw Interrupted{};
    }
}

RunResult run(const std::vector<std::string>& command, const Limits& limits,
              const std::function<void(const std::string& line)>& on_line, const Setting& setting) {
    Watch watch(limits);
    RunResult result;
    Child child(command, limits, setting);
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
        if (on_line) {
            pending += text;
            pass_lines(pending, on_line);
        }
        if (is_stopped()) {
            child.stop_group();
            throw Interrupted{};
        }
        if (watch.has_to_end(child.group(), result)) {
            child.kill_group();
            output_open = false;
        }
        if (child.has_ended()) {
            child.kill_group();  // whatever it left running, which may also hold the output open
            end = std::min(end, Clock::now() + std::chrono::milliseconds(500));
            output_open = output_open && Clock::now() < end;
        }
    }
    end_orphans();
    if (!child.describe(result)) {
        throw std::runtime_error("cannot run " + command.front());
    }
    return result;
}

std::string everything_printed_by(const std::vector<std::string>& command) {
    std::string text;
    try {
        static_cast<void>(run(command, {}, [&](const std::string& line) { text += line + "\n"; }));
    } catch (const std::runtime_error&) {
        return "";
    }
    return text;
}

}  // namespace workbook::app
