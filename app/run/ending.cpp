#include "app/run/ending.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/results/protocol.hpp"

namespace workbook::app {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::string cause_of_abort(const std::string& output) {
    if (output.find("terminate called") != std::string::npos || output.find("terminating") != std::string::npos) {
        return "an exception that nobody can catch: it left a noexcept function, a destructor or a thread";
    }
    return "memory written out of bounds or freed twice, or a call of abort";
}

std::string likely_cause(int signal, const std::string& output) {
    switch (signal) {
        case SIGSEGV:
        case SIGBUS: return "a wild pointer (an index out of range, a dangling view) or a missing return";
        case SIGILL:
        case SIGTRAP: return "a missing return";
        case SIGABRT: return cause_of_abort(output);
        case SIGFPE: return "an integer divided by zero";
        case SIGKILL: return "too much memory, or your code sends signals";
        case SIGXFSZ: return "your code writes an enormous file";
        default: return "your code sends signals";
    }
}

std::string less_time_than_usual(const RunMode& mode) {
    return mode.hurried ? " (Less time than usual, because another test of this step ran out of it.)" : "";
}

}  // namespace

Limits test_limits(const RunMode& mode) {
    Limits limits;
    limits.processor_time = std::chrono::seconds(mode.hurried ? 2 : 5);
    limits.rest = std::chrono::seconds(mode.hurried ? 5 : 30);
    limits.stack_bytes = 8 * mebibyte;
    limits.file_bytes = 64 * mebibyte;
    limits.processes = 64;
    if (mode.sanitized) {
        limits.processor_time *= 5;
    } else {
        limits.memory_bytes = 1024 * mebibyte;
    }
    return limits;
}

std::vector<std::string> test_environment() {
    std::vector<std::string> environment{
        "OPENBLAS_NUM_THREADS=1",  // tests run side by side, and are small
        "OMP_NUM_THREADS=1", "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:hard_rss_limit_mb=1024",
        "UBSAN_OPTIONS=print_stacktrace=1"};
    if (const char* data = std::getenv("WORKBOOK_DATA"); data != nullptr && *data != '\0') {
        // A test runs in a folder of its own, where a relative path would lead nowhere.
        environment.push_back("WORKBOOK_DATA=" + std::filesystem::absolute(data).string());
    }
    return environment;
}

std::string explain(const RunResult& run, const RunMode& mode) {
    const Limits limits = test_limits(mode);
    if (run.out_of_processor_time) {
        return fmt::format("did not finish within {} seconds of processor time: an endless loop?{}",
                           limits.processor_time.count(), less_time_than_usual(mode));
    }
    if (run.too_many_processes) {
        return "your code starts one process after another and leaves them behind";
    }
    if (run.timed_out) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits.rest).count();
        return fmt::format(
            "was idle for {} seconds, with {:.2f} seconds of processor time used: does your code sleep, or wait for "
            "something that never comes?{}",
            seconds, std::chrono::duration<double>(run.processor_time).count(), less_time_than_usual(mode));
    }
    if (run.exit_code == grading::stack_used_up) {
        return "the stack is used up: recursion without end, or a very large local array";
    }
    if (run.signal != 0) {
        return fmt::format("{}: {}; likely cause: {}", run.signal == SIGKILL ? "was ended" : "crashed",
                           strsignal(run.signal), likely_cause(run.signal, run.output));
    }
    return fmt::format("ended before the test did, with exit code {}: does your code call exit?", run.exit_code);
}

}  // namespace workbook::app
