// A program that has this linked in ends with the exit code stack_used_up, instead of a plain crash, when its stack is
// used up.
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>

#include "app/results/protocol.hpp"

#if !defined(WORKBOOK_SANITIZED)  // a sanitizer says it better

namespace workbook::grading {

namespace {

std::uintptr_t stack_begin = 0;  // the stack and what a large local array can reach beyond it
std::uintptr_t stack_end = 0;
std::array<char, std::size_t{64} * 1024> signal_stack;

void on_bad_access(int signal, siginfo_t* info, void* /*context*/) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (address >= stack_begin && address < stack_end) {
        _exit(stack_used_up);
    }
    raise(signal);  // comes back when this handler has ended, and then the default action is in place again
}

// Before the constructors of static objects, which may be the tested code's.
[[gnu::constructor(101)]] void tell_stack_overflow() {
    rlimit size{};
    getrlimit(RLIMIT_STACK, &size);
    if (size.rlim_cur == RLIM_INFINITY) {
        return;
    }
    constexpr std::uintptr_t array_bytes = std::uintptr_t{64} << 20;
    stack_end = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    stack_begin = stack_end - size.rlim_cur - array_bytes;

    stack_t stack{};
    stack.ss_sp = signal_stack.data();
    stack.ss_size = signal_stack.size();
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_bad_access;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

}  // namespace workbook::grading

#endif
