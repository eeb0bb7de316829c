#include "app/story/processor_time.hpp"

#include <sys/time.h>

#include <algorithm>

namespace workbook::story {

namespace {

void set_timer(double seconds) {
    constexpr double longest = 1e8;
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<decltype(timer.it_value.tv_sec)>(std::min(seconds, longest));
    setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

ProcessorTimeLimit::ProcessorTimeLimit(double seconds) {
    set_timer(seconds);
}

ProcessorTimeLimit::~ProcessorTimeLimit() {
    set_timer(0);
}

}  // namespace workbook::story
