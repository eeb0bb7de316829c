#include "app/build/build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <thread>

#include "app/base/system/process.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

BuildLock::BuildLock(const std::filesystem::path& build_dir)
    : file_(open((build_dir / "workbook.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        std::cerr << "waiting for another check to finish" << std::endl;
        try {
            wait();
        } catch (...) {
            close(file_);
            throw;
        }
    }
}

void BuildLock::wait() const {
    while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        expect_not_interrupted();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

BuildLock::~BuildLock() {
    close(file_);
}

namespace {

// For a file that keeps the compiler busy or waiting for ever, or makes it write or remember without end.
Limits build_limits(bool sanitized) {
    Limits limits;
    if (!sanitized) {  // there the build runs tools of its own that reserve plenty
        limits.memory_bytes = std::size_t{4} << 30;
    }
    limits.processor_time = std::chrono::minutes(5);  // of each process
    limits.rest = std::chrono::seconds(30);
    limits.file_bytes = std::size_t{1} << 30;
    return limits;
}

// A line for the log of a build that came to a limit.
std::string why_ended(const RunResult& built, const Limits& limits) {
    if (built.output.find("out of memory") != std::string::npos ||
        built.output.find("virtual memory exhausted") != std::string::npos) {
        return "error: the compiler ran out of memory. Does the file have an enormous table, or a macro or template "
               "that "
               "expands without end?\n";
    }
    if (!built.timed_out) {
        return "";
    }
    return fmt::format(
        "error: the build was ended: it had been idle for {} seconds. Does the file include something that is not "
        "an ordinary file?\n",
        std::chrono::duration_cast<std::chrono::seconds>(limits.rest).count());
}

}  // namespace

BuildResult build(const Project& project, const std::vector<std::string>& targets) {
    std::vector<std::string> command{"cmake", "--build", project.build.string(), "--target"};
    command.insert(command.end(), targets.begin(), targets.end());
    const Limits limits = build_limits(project.sanitized);
    const bool on_terminal = isatty(STDERR_FILENO) != 0;
    const auto start = std::chrono::steady_clock::now();
    bool progress_shown = false;
    const RunResult built = run(command, limits, [&](const std::string& line) {
        const bool slow = std::chrono::steady_clock::now() - start > std::chrono::seconds(2);
        if (on_terminal && slow && line.starts_with("[")) {
            std::cerr << "\r  compiling " << line.substr(0, line.find(']') + 1) << "   " << std::flush;
            progress_shown = true;
        }
    });
    if (progress_shown) {
        std::cerr << "\r" << std::string(40, ' ') << "\r" << std::flush;
    }
    return {built.succeeded(), harmless(built.output) + why_ended(built, limits)};
}

}  // namespace workbook::app
