#include "app/bench/table.hpp"

#include <fstream>
#include <stdexcept>

namespace workbook::bench {

namespace {

using Run = benchmark::BenchmarkReporter::Run;

constexpr const char* about_floors =
    "A floor is the time to read the cache once (decode), or to do the multiply-adds\n"
    "on registers. \"x floor\" is the median of each call's time over that of the floor\n"
    "just before it; GB/s and GFLOP/s are those of the median too. The error is\n"
    "relative to the oracle in double.\n";

constexpr const char* about_comparison =
    "Times are the best of each call; the ratio is yours over that of the worked\n"
    "solutions. \"allocated\" is all that a call asks of the heap, \"to read\" the size\n"
    "of its keys and values. The error is relative to the oracle in double.\n";

bool has(const Run& run, const char* counter) {
    return run.counters.contains(counter);
}

double get(const Run& run, const char* counter) {
    return run.counters.at(counter).value;
}

void print_case(std::FILE* out, const std::string& row, const Run& run) {
    const double median = get(run, "median");
    std::fprintf(out, "  %-22s%9.3f %9.3f %8.2f %8.1f %8.1f %9.1e\n", row.c_str(), get(run, "best") * 1e3, median * 1e3,
                 get(run, "ratio"), get(run, "bytes") / median / 1e9, get(run, "flops") / median / 1e9,
                 get(run, "error"));
}

void print_compared(std::FILE* out, const Run& run, double worked) {
    std::fprintf(out, "%9.3f %9.3f %7.2f %10.2f %10.2f %8.0e\n", get(run, "best") * 1e3, worked * 1e3,
                 get(run, "best") / worked, get(run, "allocated") / 1e6, get(run, "bytes") / 1e6, get(run, "error"));
}

struct Unit {
    const char* name;
    double per_second;
};

// Of the rows with times alone: growth is measured in steps of a token, the others are whole layers.
Unit unit_of(const Run& run) {
    return has(run, "at") ? Unit{"µs", 1e6} : Unit{"ms", 1e3};
}

void print_row(std::FILE* out, const std::string& row, const Run& run) {
    if (has(run, "counted")) {
        std::fprintf(out, "  %-30s %14.0f %14.0f %14.0f\n", row.c_str(), get(run, "counted"), get(run, "formula"),
                     get(run, "counted") - get(run, "formula"));
    } else {
        const double factor = unit_of(run).per_second;
        std::fprintf(out, "  %-22s%11.2f %11.2f\n", row.c_str(), get(run, "best") * factor,
                     get(run, "median") * factor);
    }
}

}  // namespace

WorkedTimes worked_times_in(const std::filesystem::path& path) {
    const auto report = nlohmann::json::parse(std::ifstream(path), nullptr, false);
    if (!report.is_object() || !report.contains("rows")) {
        throw std::runtime_error(path.string() + " holds no benchmarks");
    }
    WorkedTimes times;
    for (const auto& row : report.at("rows")) {
        times[row.at("group").get<std::string>() + "/" + row.at("row").get<std::string>()] = row.at("best");
    }
    return times;
}

Name::Name(const std::string& registered)
    : group(registered.substr(0, registered.find('/'))), row(registered.substr(group.size() + 1)) {
}

bool Table::ReportContext(const Context& /*context*/) {
    std::fputs(worked_.empty() ? about_floors : about_comparison, out_);  // main says what it runs on
    return true;
}

void Table::begin(const std::string& name) {
    if (worked_.empty()) {
        return;  // the heading has the floor, which is measured with the first row
    }
    const Name of(name);
    if (of.group != group_) {
        group_ = of.group;
        std::fprintf(
            out_,
            "\n%-24s  yours    worked   ratio  allocated    to read    error\n%24s     ms        ms            "
            "     MB         MB\n",
            group_.c_str(), "");
    }
    std::fprintf(out_, "  %-20s", of.row.c_str());
    std::fflush(out_);
}

void Table::print_heading(const std::string& group, const Run& run) {
    if (has(run, "ratio")) {
        const double median = get(run, "floor_median");
        std::fprintf(out_, "\n%-24s  best ms median ms  x floor     GB/s  GFLOP/s     error\n", group.c_str());
        std::fprintf(out_, "  %-22s%9.3f %9.3f %8s %8.1f %8.1f\n", "(floor)", get(run, "floor_best") * 1e3,
                     median * 1e3, "", get(run, "bytes") / median / 1e9, get(run, "flops") / median / 1e9);
    } else if (has(run, "counted")) {
        std::fprintf(out_, "\n%-32s %14s %14s %14s\n", group.c_str(), "counted", "formula", "difference");
    } else {
        const char* unit = unit_of(run).name;
        std::fprintf(out_, "\n%s\n%24s    best %s   median %s\n", group.c_str(), "", unit, unit);
    }
}

void Table::print_problem(const Name& name, const std::string& problem) {
    if (worked_.empty()) {
        std::fprintf(out_, "\n%s:", name.text().c_str());
    }
    std::fprintf(out_, "  %s\n", problem.c_str());
}

void Table::print(const Name& name, const Run& run) {
    if (!worked_.empty()) {
        print_compared(out_, run, worked_.at(run.run_name.function_name));
        return;
    }
    if (name.group != group_) {
        group_ = name.group;
        print_heading(group_, run);
    }
    if (has(run, "ratio")) {
        print_case(out_, name.row, run);
    } else {
        print_row(out_, name.row, run);
    }
}

void Table::report(const Run& run) {
    const std::string& registered = run.run_name.function_name;  // without what the library appends
    const Name name(registered);
    nlohmann::ordered_json& entry =
        rows_.emplace_back(nlohmann::ordered_json{{"group", name.group}, {"row", name.row}});
    if (!has(run, "best")) {  // it could not be measured; the label says why
        all_right_ = false;
        entry["problem"] = run.report_label;
        print_problem(name, run.report_label);
        return;
    }
    for (const auto& [counter, number] : run.counters) {
        entry[counter] = number.value;
    }
    if (!worked_.empty()) {
        entry["worked_best"] = worked_.at(registered);
    }
    print(name, run);
}

void Table::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        report(run);
    }
    std::fflush(out_);
}

}  // namespace workbook::bench
