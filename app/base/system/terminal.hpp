/// @file
/// What a terminal can do: colour, its size, single keys, a question.
#pragma once

#include <termios.h>

#include <cstddef>
#include <string>

namespace workbook::app {

/// How text is marked. Without colour every function gives its text back unchanged.
struct Style {
    bool colour = false;
    bool symbols = false;  ///< ✓ ✗ · in front of steps

    [[nodiscard]] std::string good(const std::string& text) const;  ///< green
    [[nodiscard]] std::string bad(const std::string& text) const;   ///< red
    [[nodiscard]] std::string open(const std::string& text) const;  ///< yellow
    [[nodiscard]] std::string bold(const std::string& text) const;
    [[nodiscard]] std::string dim(const std::string& text) const;
};

/// Colour and symbols when standard output is a terminal, TERM is not "dumb" and NO_COLOR is not set.
[[nodiscard]] Style style_of_output();

/// Whether standard input and output are a terminal on which the cursor can be moved.
[[nodiscard]] bool is_interactive();

/// The terminal's size in characters; 24 rows of 80 columns when standard output is none.
struct Size {
    std::size_t rows = 24;
    std::size_t columns = 80;
    bool operator==(const Size&) const = default;
};
[[nodiscard]] Size terminal_size();

/// Asks on standard output, reads a line of standard input. True for y or yes; the end of the input means no.
/// @throws Interrupted after Ctrl-C
[[nodiscard]] bool confirmed(const std::string& question);

/// While it lives, keys arrive one by one and unseen, and the screen is a second one; then everything is as before.
class RawTerminal {
public:
    RawTerminal();
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;
    ~RawTerminal();

    /// Whether Ctrl-Z was pressed; it then waits for suspend().
    [[nodiscard]] static bool stop_wanted();
    /// Gives the terminal back and stops this process; takes it again when the process goes on.
    void suspend() const;

private:
    termios before_{};
    void enter() const;
    void leave() const;
};

/// What Ctrl-D sends; also stands for a terminal that has gone away.
constexpr char end_of_input = '\x04';

/// The next key, or 0 when none came in that time.
[[nodiscard]] char key_within(int milliseconds);

}  // namespace workbook::app
