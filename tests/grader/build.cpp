#include "build.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "process.hpp"
#include "text.hpp"

namespace workbook::grader {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

// A place in a file and what the compiler says about it.
struct Diagnostic {
    std::string line;
    std::string column;
    std::string message;  // "error: …"
};

std::optional<Diagnostic> diagnostic_in(const std::string& text, const std::string& path) {
    if (!text.starts_with(path + ":")) {
        return std::nullopt;
    }
    static const std::regex pattern(R"(^:(\d+):(\d+): ((?:fatal )?error|warning): (.*)$)");
    const std::string rest = text.substr(path.size());
    std::smatch match;
    if (!std::regex_match(rest, match, pattern)) {
        return std::nullopt;
    }
    return Diagnostic{match[1], match[2], match[3].str() + ": " + match[4].str()};
}

// The message of an error in some other file, such as a header of xtensor.
std::optional<std::string> foreign_error_in(const std::string& text) {
    static const std::regex pattern(R"(^[^\s:][^:]*:\d+:\d+: ((?:fatal )?error: .*)$)");
    std::smatch match;
    return std::regex_match(text, match, pattern) ? std::optional<std::string>(match[1]) : std::nullopt;
}

// A line of the file from which a template of a library was instantiated: "file.cpp:53:20:   required from here", which
// g++ prints before the error, or "file.cpp:53:20: note: in instantiation of …", which clang++ prints after it.
struct Instantiation {
    Diagnostic place;
    bool follows_error = false;
};

std::optional<Instantiation> instantiation_in(const std::string& text, const std::string& path) {
    if (!text.starts_with(path + ":")) {
        return std::nullopt;
    }
    static const std::regex pattern(R"(^:(\d+):(\d+): (\s*required from|note: in instantiation of).*$)");
    const std::string rest = text.substr(path.size());
    std::smatch match;
    if (!std::regex_match(rest, match, pattern)) {
        return std::nullopt;
    }
    return Instantiation{{match[1], match[2], ""}, match[3].str().starts_with("note")};
}

// The name of a function that the linker misses, without its parameters.
std::optional<std::string> undefined_in(const std::string& text) {
    static const std::regex pattern("undefined (?:reference to|symbol:) [`']?([^('\\s]+)");
    std::smatch match;
    return std::regex_search(text, match, pattern) ? std::optional<std::string>(match[1]) : std::nullopt;
}

// The name of a function that the linker finds twice.
std::optional<std::string> duplicate_in(const std::string& text) {
    static const std::regex pattern("(?:duplicate symbol: .*: |multiple definition of [`'])([^('\\s]+)");
    std::smatch match;
    return std::regex_search(text, match, pattern) ? std::optional<std::string>(match[1]) : std::nullopt;
}

// Of a compiler's message.
constexpr std::size_t longest = 300;

std::string shown(const std::filesystem::path& file, const std::string& name, const Diagnostic& diagnostic) {
    const std::string code = source_line(file, diagnostic.line);
    return name + ":" + diagnostic.line + ":" + diagnostic.column + ": " + shortened(diagnostic.message, longest) +
           "\n    " + code + "\n    " +
           std::string(static_cast<std::size_t>(std::max(std::stoi(diagnostic.column) - 1, 0)), ' ') + "^\n";
}

bool is_error(const Diagnostic& diagnostic) {
    return diagnostic.message.find("error: ") != std::string::npos;
}

// Collects messages, each place once.
class Messages {
public:
    Messages(std::filesystem::path file, std::string name, std::size_t most)
        : file_(std::move(file)), name_(std::move(name)), most_(most) {}

    void add(const Diagnostic& diagnostic) {
        if (places_.insert(diagnostic.line).second && places_.size() <= most_) {
            text_ += shown(file_, name_, diagnostic);
        }
    }

    [[nodiscard]] std::string text() const {
        return places_.size() > most_ ? text_ + "(and " + std::to_string(places_.size() - most_) + " more)\n" : text_;
    }

private:
    std::filesystem::path file_;
    std::string name_;
    std::size_t most_;
    std::set<std::string> places_;
    std::string text_;
};

}  // namespace

std::string source_line(const std::filesystem::path& file, const std::string& number) {
    std::ifstream stream(file);
    std::string line;
    for (int i = std::stoi(number); i > 0 && std::getline(stream, line); --i) {
    }
    return harmless(line);
}

BuildLock::BuildLock(const std::filesystem::path& build_dir)
    : file_(open((build_dir / "grader.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
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

BuildResult build(const std::filesystem::path& build_dir, const std::vector<std::string>& targets) {
    std::vector<std::string> command{"cmake", "--build", build_dir.string(), "--target"};
    command.insert(command.end(), targets.begin(), targets.end());
    // For a file that keeps the compiler busy for ever. No bound on memory: sanitized tools of the build reserve
    // plenty.
    Limits limits;
    limits.processor_time = std::chrono::minutes(5);  // of each process
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
    return {built.succeeded(), harmless(built.output)};
}

std::string link_errors(const std::string& log) {
    std::set<std::string> errors;
    for (const std::string& line : lines_of(log)) {
        if (const auto function = undefined_in(line)) {
            errors.insert("this function is not defined, or with other parameters: " + *function);
        } else if (const auto twice = duplicate_in(line)) {
            errors.insert("this function is defined twice (put helpers into namespace { … }): " + *twice);
        }
    }
    std::string text;
    for (const std::string& error : errors) {
        text += error + "\n";
    }
    return text;
}

std::string first_errors(const std::string& log, std::size_t most) {
    std::string text;
    std::size_t count = 0;
    for (const std::string& line : lines_of(log)) {
        if (line.find("error") != std::string::npos && count++ < most) {
            text += shortened(line, longest) + "\n";
        }
    }
    return text;
}

Digest digest(const std::string& log, const std::filesystem::path& file, const std::string& name, std::size_t most) {
    const std::string path = file.string();
    Messages errors(file, name, most);
    Messages warnings(file, name, most);
    std::optional<Diagnostic> led_here;        // g++: the line of the file that leads to the next foreign error
    std::optional<std::string> foreign_error;  // clang++: the error whose line of the file is still to come
    for (const std::string& line : lines_of(log)) {
        if (const auto own = diagnostic_in(line, path)) {
            (is_error(*own) ? errors : warnings).add(*own);
            led_here.reset();
        } else if (const auto instantiation = instantiation_in(line, path)) {
            if (!instantiation->follows_error) {
                led_here = instantiation->place;
            } else if (foreign_error) {
                errors.add({instantiation->place.line, instantiation->place.column, *foreign_error});
                foreign_error.reset();
            }
        } else if (const auto foreign = foreign_error_in(line)) {
            foreign_error = foreign;
            if (led_here) {
                errors.add({led_here->line, led_here->column, *foreign});
                led_here.reset();
            }
        }
    }
    return {errors.text(), warnings.text()};
}

}  // namespace workbook::grader
