#include "app/base/system/terminal.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "app/base/system/process.hpp"

namespace workbook::app {

namespace {

volatile std::sig_atomic_t stop_signalled = 0;

std::string painted(bool colour, const char* code, const std::string& text) {
    return colour && !text.empty() ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

bool is_dumb() {
    const char* const term = std::getenv("TERM");
    return term == nullptr || std::string_view(term) == "dumb";
}

void print(std::string_view text) {
    std::cout << text << std::flush;
}

}  // namespace

std::string Style::good(const std::string& text) const {
    return painted(colour, "32", text);
}

std::string Style::bad(const std::string& text) const {
    return painted(colour, "31", text);
}

std::string Style::open(const std::string& text) const {
    return painted(colour, "33", text);
}

std::string Style::bold(const std::string& text) const {
    return painted(colour, "1", text);
}

std::string Style::dim(const std::string& text) const {
    return painted(colour, "2", text);
}

Style style_of_output() {
    const char* const no_color = std::getenv("NO_COLOR");
    const bool wanted = no_color == nullptr || *no_color == '\0';
    const bool can = isatty(STDOUT_FILENO) != 0 && !is_dumb();
    return {can && wanted, can && wanted};
}

bool is_interactive() {
    return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && !is_dumb();
}

Size terminal_size() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row != 0 && size.ws_col != 0;
    return known ? Size{size.ws_row, size.ws_col} : Size{};
}

bool confirmed(const std::string& question) {
    std::cout << question << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    expect_not_interrupted();
    if (std::cin.eof() || isatty(STDIN_FILENO) == 0) {
        std::cout << "\n";  // no Enter was seen that ended the line
    }
    return answer == "y" || answer == "Y" || answer == "yes";
}

RawTerminal::RawTerminal() {
    tcgetattr(STDIN_FILENO, &before_);
    struct sigaction note_it {};
    note_it.sa_handler = [](int) { stop_signalled = 1; };
    sigaction(SIGTSTP, &note_it, nullptr);
    enter();
}

RawTerminal::~RawTerminal() {
    leave();
    (void)std::signal(SIGTSTP, SIG_DFL);
}

bool RawTerminal::stop_wanted() {
    return stop_signalled != 0;
}

void RawTerminal::enter() const {
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // ISIG stays: Ctrl-C and Ctrl-Z do what they always do
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    print("\x1b[?1049h\x1b[?25l");  // the second screen, no cursor
}

void RawTerminal::leave() const {
    print("\x1b[?25h\x1b[?1049l");
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

void RawTerminal::suspend() const {
    leave();
    stop_signalled = 0;
    raise(SIGSTOP);
    enter();
}

char key_within(int milliseconds) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, milliseconds) <= 0) {
        return '\0';
    }
    char key = 0;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : end_of_input;
}

}  // namespace workbook::app
