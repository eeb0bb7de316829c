#include "app/run/sanitizer_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "app/base/pattern.hpp"
#include "app/base/text.hpp"
#include "app/build/compiler_log.hpp"

namespace workbook::app {

namespace {

// The line of one of the files in a frame of a stack, "    #4 0x55d in function /path/file.cpp:70:12".
std::optional<std::string> own_frame(const std::string& line, const std::vector<NamedFile>& files) {
    static const Pattern frame(R"(^\s*#\d+ 0x[0-9a-f]+ .*$)");
    for (const NamedFile& file : files) {
        const std::string path = " " + file.path.string() + ":";
        const std::size_t at = line.find(path);
        if (at != std::string::npos && frame.match(line)) {
            const std::string number = std::to_string(std::stoi(line.substr(at + path.size())));
            const std::string code = source_line(file.path, number);
            return fmt::format("{}:{}\n    {}\n", file.name, number,
                               code.substr(std::min(code.size(), code.find_first_not_of(' '))));
        }
    }
    return std::nullopt;
}

// The first line of one of the files in the stack that begins behind `heading`; a stack ends with an empty line.
std::string own_line_after(const std::string& report, const std::string& heading, const std::vector<NamedFile>& files) {
    const std::size_t at = report.find(heading);
    for (const std::string& line : lines_of(at == std::string::npos ? "" : report.substr(at))) {
        if (line.empty()) {
            break;
        }
        if (const auto own = own_frame(line, files)) {
            return *own;
        }
    }
    return "";
}

std::string first_match(const std::string& text, const std::string& pattern) {
    const auto match = Pattern(pattern).search(text);
    return match ? (*match)[1] : "";
}

// "reads 8 bytes" or "writes 48 bytes".
std::string access_in(const std::string& report) {
    const std::string bytes = first_match(report, R"((?:READ|WRITE) of size (\d+))");
    return fmt::format("{} {} bytes", report.find("WRITE of size") == std::string::npos ? "reads" : "writes", bytes);
}

// " directly behind the end of a block of 120 bytes"; compilers differ in how they say it.
std::string place_in(const std::string& report) {
    static const Pattern pattern(
        R"(is located (\d+) bytes (to the right of|after|to the left of|before) (\d+)-byte region)");
    const auto match = pattern.search(report);
    if (!match) {
        return " outside of its block";
    }
    const bool behind = (*match)[2] == "to the right of" || (*match)[2] == "after";
    const std::string distance = (*match)[1] == "0" ? " directly" : " " + (*match)[1] + " bytes";
    return fmt::format("{} {} a block of {} bytes", distance, behind ? "behind the end of" : "before the start of",
                       (*match)[3]);
}

std::string in_words(const std::string& kind, const std::string& report) {
    static const std::map<std::string, std::string> words{
        {"heap-use-after-free", " of memory that was freed already"},
        {"stack-use-after-return", " of a local variable of a function that has returned"},
        {"stack-use-after-scope", " of a local variable that is gone"},
        {"stack-buffer-overflow", " outside of a local variable"},
        {"dynamic-stack-buffer-overflow", " outside of a local array"},
        {"global-buffer-overflow", " outside of a global variable"}};
    static const std::map<std::string, std::string> others{
        {"stack-overflow", "recursion without end, or a very large local array"},
        {"SEGV", "a wild pointer"},
        {"allocation-size-too-big", "asks for more memory than there is"},
        {"out-of-memory", "asks for more memory than there is"}};
    if (kind == "heap-buffer-overflow") {
        return access_in(report) + place_in(report);
    }
    if (words.contains(kind)) {
        return access_in(report) + words.at(kind);
    }
    return others.contains(kind) ? others.at(kind) : first_match(report, "AddressSanitizer: ([^\n]*?)(?: on | \\(|\n)");
}

// A report of AddressSanitizer: what it is, where it happened, and where the memory came from.
std::string address_finding(const std::string& report, const std::vector<NamedFile>& files) {
    const std::string kind = first_match(report, "ERROR: AddressSanitizer: ([A-Za-z-]+)");
    std::string text = fmt::format("{}: {}\n", kind, in_words(kind, report));
    const std::string here = own_line_after(report, "ERROR: AddressSanitizer", files);
    text += here.empty() ? "  not in your file itself, but in code that it calls\n" : here;
    const std::string freed = own_line_after(report, "freed by thread", files);
    return text + (freed.empty() ? "" : "freed before at " + freed);
}

// A report of UndefinedBehaviorSanitizer: "/path/file.cpp:7:9: runtime error: signed integer overflow: …".
std::string undefined_finding(const std::string& report, const std::vector<NamedFile>& files) {
    const std::string what = first_match(report, "runtime error: ([^\n]*)");
    const std::string here = own_line_after(report, "runtime error: ", files);
    return what + "\n" + (here.empty() ? "  not in your file itself, but in code that it calls\n" : here);
}

std::size_t start_of_report(const std::string& output) {
    const std::size_t address = output.find("ERROR: AddressSanitizer: ");
    const std::size_t undefined = output.find(": runtime error: ");
    const std::size_t memory = output.find("hard rss limit exhausted");
    const std::size_t at = std::min({address, undefined, memory});
    return at == std::string::npos ? at : output.rfind('\n', at) + 1;  // the whole line; npos + 1 is 0
}

}  // namespace

std::string sanitizer_finding(const std::string& output, const std::vector<NamedFile>& files) {
    const std::size_t at = start_of_report(output);
    if (at == std::string::npos) {
        return "";
    }
    const std::string report = output.substr(at);
    if (report.find("ERROR: AddressSanitizer: ") != std::string::npos) {
        return address_finding(report, files);
    }
    return report.find("runtime error: ") != std::string::npos ? undefined_finding(report, files)
                                                               : "asked for more memory than a test may have\n";
}

void condense_sanitizer_report(TestResult& result, const std::vector<NamedFile>& files) {
    const std::string finding = sanitizer_finding(result.output, files);
    if (result.outcome == Outcome::failed && !finding.empty()) {
        result.failures = {finding};
        const std::size_t line = result.output.find("=====");  // AddressSanitizer draws one above its report
        result.output.erase(std::min(line, start_of_report(result.output)));
    }
}

}  // namespace workbook::app
