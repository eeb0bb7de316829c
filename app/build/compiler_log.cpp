#include "app/build/compiler_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/base/files.hpp"
#include "app/base/pattern.hpp"
#include "app/base/text.hpp"

namespace workbook::app {

namespace {

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
    static const Pattern pattern(R"(^:(\d+):(\d+): ((?:fatal )?error|warning): (.*)$)");
    const auto match = pattern.match(text.substr(path.size()));
    return match ? std::optional(Diagnostic{(*match)[1], (*match)[2], (*match)[3] + ": " + (*match)[4]}) : std::nullopt;
}

std::optional<std::string> first_group(const std::optional<Match>& match) {
    return match ? std::optional((*match)[1]) : std::nullopt;
}

// The message of an error in some other file, such as a header of xtensor.
std::optional<std::string> foreign_error_in(const std::string& text) {
    static const Pattern pattern(R"(^[^\s:][^:]*:\d+:\d+: ((?:fatal )?error: .*)$)");
    return first_group(pattern.match(text));
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
    static const Pattern pattern(R"(^:(\d+):(\d+): (\s*required from|note: in instantiation of).*$)");
    const auto match = pattern.match(text.substr(path.size()));
    return match ? std::optional(Instantiation{{(*match)[1], (*match)[2], ""}, (*match)[3].starts_with("note")})
                 : std::nullopt;
}

// The name of a function that the linker misses, without its parameters.
std::optional<std::string> undefined_in(const std::string& text) {
    static const Pattern pattern("undefined (?:reference to|symbol:) [`']?([^('\\s]+)");
    return first_group(pattern.search(text));
}

// The name of a function that the linker finds twice.
std::optional<std::string> duplicate_in(const std::string& text) {
    static const Pattern pattern("(?:duplicate symbol: .*: |multiple definition of [`'])(operator [a-z]+|[^('\\s]+)");
    return first_group(pattern.search(text));
}

// Of a compiler's message.
constexpr std::size_t longest_line = 300;

std::string shown(const std::filesystem::path& file, const std::string& name, const Diagnostic& diagnostic) {
    const int column = std::max(std::stoi(diagnostic.column), 1);
    return fmt::format("{}:{}:{}: {}\n    {}\n    {:>{}}\n", name, diagnostic.line, diagnostic.column,
                       shortened(diagnostic.message, longest_line), source_line(file, diagnostic.line), "^", column);
}

bool is_error(const Diagnostic& diagnostic) {
    return diagnostic.message.find("error: ") != std::string::npos;
}

// Collects messages, each place once.
class Messages {
public:
    Messages(std::filesystem::path file, std::string name, std::size_t most, std::function<bool(std::size_t)> wanted)
        : file_(std::move(file)), name_(std::move(name)), most_(most), wanted_(std::move(wanted)) {}

    void add(const Diagnostic& diagnostic) {
        const std::size_t line = std::stoul(diagnostic.line);
        if ((wanted_ && !wanted_(line)) || !places_.insert(diagnostic.line).second) {
            return;
        }
        lines_.push_back(line);
        if (places_.size() <= most_) {
            text_ += shown(file_, name_, diagnostic);
        }
    }

    [[nodiscard]] const std::vector<std::size_t>& lines() const { return lines_; }

    [[nodiscard]] std::string text() const {
        return places_.size() > most_ ? fmt::format("{}(and {} more)\n", text_, places_.size() - most_) : text_;
    }

private:
    std::filesystem::path file_;
    std::string name_;
    std::size_t most_;
    std::function<bool(std::size_t)> wanted_;
    std::set<std::string> places_;
    std::vector<std::size_t> lines_;
    std::string text_;
};

}  // namespace

std::string source_line(const std::filesystem::path& file, const std::string& number) {
    const std::vector<std::string> lines = lines_of(read_file(file));
    const auto index = static_cast<std::size_t>(std::stoi(number)) - 1;
    return index < lines.size() ? harmless(lines[index]) : "";
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
            text += shortened(line, longest_line) + "\n";
        }
    }
    return text;
}

Digest digest(const std::string& log, const std::filesystem::path& file, const std::string& name, std::size_t most,
              const std::function<bool(std::size_t)>& wanted) {
    const std::string path = file.string();
    Messages errors(file, name, most, wanted);
    Messages warnings(file, name, most, wanted);
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
    return {errors.text(), warnings.text(), errors.lines()};
}

}  // namespace workbook::app
