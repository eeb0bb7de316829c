// Everything that a submission can do wrong besides giving a wrong number. hostile_test.cpp puts this text in front of
// a worked solution; the environment variable MISBEHAVIOUR says which one it is, so that one build serves for all.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile std::size_t sink = 0;

std::size_t recurse(std::size_t depth) {
    volatile std::size_t frame[16] = {depth};
    return sink == 1 ? 0 : recurse(depth + 1) + frame[depth % 16];
}

void loop_forever() {
    for (;;) {
        sink = sink + 1;
    }
}

void take_all_memory() {
    std::vector<std::unique_ptr<char[]>> blocks;
    for (;;) {
        blocks.push_back(std::make_unique<char[]>(std::size_t{16} << 20));  // set to zero, so it is really used
    }
}

void throw_out_of_noexcept() noexcept {
    throw std::runtime_error("nobody catches this");
}

void deadlock() {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}

void swallow_signals() {
    for (const int number : {SIGALRM, SIGTERM, SIGINT, SIGXCPU, SIGHUP}) {
        std::signal(number, [](int) {});
    }
    loop_forever();
}

void forge_report() {
    std::ifstream file("/proc/self/cmdline");
    const std::string option = "--gtest_output=json:";
    for (std::string argument; std::getline(file, argument, '\0');) {
        if (argument.rfind(option, 0) == 0) {
            std::ofstream(argument.substr(option.size()))
                << R"({"testsuites": [{"testsuite": [{"result": "COMPLETED", "token": ""}]}]})";
        }
    }
    _exit(0);
}

void replace_report_by_pipe() {
    std::ifstream file("/proc/self/cmdline");
    const std::string option = "--gtest_output=json:";
    for (std::string argument; std::getline(file, argument, '\0');) {
        if (argument.rfind(option, 0) == 0) {
            mkfifo(argument.substr(option.size()).c_str(), 0600);
        }
    }
    _exit(0);
}

void imitate_pass() {
    std::cout << "[  PASSED  ] 1 test.\n{\"testsuites\": [{\"testsuite\": [{\"result\": \"COMPLETED\"}]}]}"
              << std::endl;
    _exit(0);
}

void print_without_end() {
    for (;;) {
        std::fputs("\033[2J\xff no end to it", stdout);
    }
}

void fork_and_sleep() {
    if (fork() == 0) {
        sleep(1000);
        _exit(0);
    }
}

// What it starts is no child of this process any more.
void fork_twice() {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        fork_and_sleep();
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

// In the first call only.
void once(const std::function<void()>& misbehaviour) {
    static bool done = false;
    if (!done) {
        done = true;
        misbehaviour();
    }
}

void fork_the_test() {
    sink = static_cast<std::size_t>(fork());  // both processes go on with the test
}

void read_input() {
    std::string text;
    if (std::getline(std::cin, text)) {
        std::cout << "read " << text << std::endl;
    }
}

const std::map<std::string, std::function<void()>>& misbehaviours() {
    static const std::map<std::string, std::function<void()>> all{
        {"abort", [] { std::abort(); }},
        {"allocate at once", [] { sink = reinterpret_cast<std::size_t>(::operator new (std::size_t{1} << 60)); }},
        {"allocate bit by bit", take_all_memory},
        {"close output", [] { std::fclose(stdout); }},
        {"crash", [] { sink = *reinterpret_cast<volatile std::size_t*>(sink + 16); }},
        {"deadlock", deadlock},
        {"exit", [] { std::exit(0); }},
        {"exit at once", [] { _exit(0); }},
        {"exit quickly", [] { std::quick_exit(0); }},
        {"exit as if not found", [] { _exit(127); }},
        {"forge a report", forge_report},
        {"fork", [] { once(fork_and_sleep); }},
        {"fork in every call", fork_and_sleep},
        {"fork the test", [] { once(fork_the_test); }},
        {"fork twice", [] { once(fork_twice); }},
        {"fork twice in every call", fork_twice},
        {"imitate a pass", imitate_pass},
        {"kill the group", [] { kill(0, SIGKILL); }},
        {"kill the parent", [] { kill(getppid(), SIGKILL); }},
        {"leave a file", [] { std::ofstream("left-by-a-test.txt") << "a file"; }},
        {"loop", loop_forever},
        {"print without end", print_without_end},
        {"read input", read_input},
        {"recurse", [] { sink = recurse(0); }},
        {"replace the report", replace_report_by_pipe},
        {"stop", [] { raise(SIGSTOP); }},
        {"swallow signals", swallow_signals},
        {"terminate", throw_out_of_noexcept},
        {"thread", [] { once([] { std::thread(loop_forever).detach(); }); }},
        {"throw a number", [] { throw 42; }},
    };
    return all;
}

// "static crash" is "crash" in the constructor of a static object.
void misbehave(const std::string& when) {
    const char* named = std::getenv("MISBEHAVIOUR");
    const std::string name = named == nullptr ? "" : named;
    if (name.rfind(when, 0) == 0 && misbehaviours().count(name.substr(when.size())) != 0) {
        misbehaviours().at(name.substr(when.size()))();
    }
}

const bool misbehaved_at_start = (misbehave("static "), true);

}  // namespace
