#include "tests/support/guard.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "app/run/protocol.hpp"

namespace workbook::grading {

namespace {

std::string token;  // NOLINT(cert-err58-cpp): an empty string does not throw
const pid_t this_process = getpid();

// Whether another thread of this process is on a processor or waits for one. A pool's workers sleep between tasks.
bool other_thread_runs() {
    namespace fs = std::filesystem;
    const std::string own = std::to_string(getpid());  // tests run in the main thread
    std::error_code error;
    for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task", error)) {
        std::ifstream file(thread.path() / "stat");
        std::string text;
        std::getline(file, text);
        const std::size_t name_end = text.rfind(") ");  // "17 (a name) R 1 …"
        if (thread.path().filename() != own && name_end != std::string::npos && text[name_end + 2] == 'R') {
            return true;
        }
    }
    return false;
}

// A thread that is about to sleep gets a moment to do so.
bool thread_keeps_running() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (other_thread_runs()) {
        if (std::chrono::steady_clock::now() > end) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

bool is_closed(int descriptor) {
    return fcntl(descriptor, F_GETFD) < 0;
}

}  // namespace

void read_token() {
    std::getline(std::cin, token);
}

void sign_report() {
    ::testing::Test::RecordProperty(token_property, token);
}

std::vector<std::string> left_behind() {
    if (getpid() != this_process) {
        _exit(0);
    }
    std::vector<std::string> found;
    if (is_closed(STDOUT_FILENO)) {
        found.emplace_back("your code closed standard output");
    }
    if (is_closed(STDERR_FILENO)) {
        found.emplace_back("your code closed standard error");
    }
    if (thread_keeps_running()) {
        found.emplace_back("your code left a thread running: join it before you return");
    }
    if (waitpid(-1, nullptr, WNOHANG) >= 0) {
        found.emplace_back("your code started a process and left it behind");
    }
    return found;
}

}  // namespace workbook::grading
