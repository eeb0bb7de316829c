#include "app/bench/watched.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <stdexcept>

#include "app/run/ending.hpp"

namespace workbook::bench {

namespace {

// In memory of both processes.
struct Shared {
    std::array<char, 128> what{};
    bool returned = false;
};

Shared& make_shared_memory() {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("there is no memory to share with the program that measures");
    }
    return *new (memory) Shared;
}

pid_t watched = -1;

// Nothing is left running when this process is ended.
void end_both(int signal) {
    kill(watched, SIGKILL);
    _exit(128 + signal);
}

int run_and_end(const std::function<int(const Announce& announce)>& code, Shared& shared) {
    const int result = code(
        [&](const std::string& what) { std::snprintf(shared.what.data(), shared.what.size(), "%s", what.c_str()); });
    std::cout.flush();
    std::fflush(nullptr);
    shared.returned = true;
    _exit(result);  // not exit: what was measured counts, even when a destructor of the code crashes now
}

app::RunResult wait_for_watched() {
    int status = 0;
    waitpid(watched, &status, 0);
    return app::ending_of(status);
}

std::string ending_of(const app::RunResult& ended) {
    return ended.signal != 0 ? app::explain(ended, {})
                             : fmt::format(
                                   "ended the program with exit code {} before the table was complete: does it call "
                                   "exit?",
                                   ended.exit_code);
}

}  // namespace

int run_watched(const std::function<int(const Announce& announce)>& code) {
    Shared& shared = make_shared_memory();
    watched = fork();
    if (watched == 0) {
        return run_and_end(code, shared);
    }
    if (watched < 0) {
        throw std::runtime_error("the program that measures cannot be started");
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(signal, end_both);
    }
    const app::RunResult ended = wait_for_watched();
    if (shared.returned) {
        return ended.exit_code;
    }
    if (ended.signal != SIGPIPE) {  // else nobody reads on, as in ./workbook bench --mine | head
        std::cerr << "\n\n" << shared.what.data() << ": your code " << ending_of(ended) << "\n";
    }
    return 1;
}

}  // namespace workbook::bench
