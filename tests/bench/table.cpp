#include "table.hpp"

#include <fstream>
#include <stdexcept>

namespace workbook::bench {

namespace {

using Run = benchmark::BenchmarkReporter::Run;

bool has(const Run& run, const char* counter) {
    return run.counters.contains(counter);
}

double get(const Run& run, const char* counter) {
    return run.counters.at(counter).value;
}

// The registered name, "group/row", without what the library appends.
std::string name_of(const Run& run) {
    return run.run_name.function_name;
}

void print_case(std::FILE* out, const std::string& row, const Run& run) {
    const double best = get(run, "best");
    std::fprintf(out, "  %-22s%9.3f %9.3f %8.2f %8.1f %8.1f %9.1e\n", row.c_str(), best * 1e3, get(run, "median") * 1e3,
                 get(run, "ratio"), get(run, "bytes") / best / 1e9, get(run, "flops") / best / 1e9, get(run, "error"));
}

void print_compared(std::FILE* out, const std::string& row, const Run& run, double worked) {
    std::fprintf(out, "  %-20s%9.3f %9.3f %7.2f %10.2f %10.2f %8.0e\n", row.c_str(), get(run, "best") * 1e3,
                 worked * 1e3, get(run, "best") / worked, get(run, "allocated") / 1e6, get(run, "bytes") / 1e6,
                 get(run, "error"));
}

void print_row(std::FILE* out, const std::string& row, const Run& run) {
    if (has(run, "counted")) {
        std::fprintf(out, "  %-22s %14.0f %14.0f %14.0f\n", row.c_str(), get(run, "counted"), get(run, "formula"),
                     get(run, "counted") - get(run, "formula"));
    } else {
        std::fprintf(out, "  %-22s%9.4f %9.4f\n", row.c_str(), get(run, "best") * 1e3, get(run, "median") * 1e3);
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

bool Table::ReportContext(const Context& /*context*/) {
    return true;  // main says what it runs on
}

void Table::print_heading(const std::string& group, const Run& run) {
    std::fprintf(out_, "\n%-24s", group.c_str());
    if (!worked_.empty()) {
        std::fprintf(out_,
                     "  yours    worked   ratio  allocated    to read    error\n%24s     ms        ms            "
                     "     MB         MB\n",
                     "");
    } else if (has(run, "ratio")) {
        std::fprintf(out_, "  best ms median ms  x floor     GB/s  GFLOP/s     error\n");
        std::fprintf(out_, "  %-22s%9.3f %9.3f %8s %8.1f %8.1f\n", "(floor)", get(run, "floor_best") * 1e3,
                     get(run, "floor_median") * 1e3, "", get(run, "bytes") / get(run, "floor_best") / 1e9,
                     get(run, "flops") / get(run, "floor_best") / 1e9);
    } else if (has(run, "counted")) {
        std::fprintf(out_, " %14s %14s %14s\n", "counted", "formula", "difference");
    } else {
        std::fprintf(out_, "\n%24s  best ms median ms\n", "");
    }
}

void Table::report(const Run& run) {
    const std::string name = name_of(run);
    const std::size_t slash = name.find('/');
    const std::string group = name.substr(0, slash);
    const std::string row = name.substr(slash + 1);
    if (!has(run, "best")) {  // a step is missing; the label says which
        std::fprintf(out_, "\n%s, %s: %s\n", group.c_str(), row.c_str(), run.report_label.c_str());
        return;
    }
    if (group != group_) {
        print_heading(group, run);
        group_ = group;
    }
    nlohmann::ordered_json& entry = rows_.emplace_back(nlohmann::ordered_json{{"group", group}, {"row", row}});
    for (const auto& [counter, number] : run.counters) {
        entry[counter] = number.value;
    }
    const auto worked = worked_.find(name);
    if (worked != worked_.end()) {
        print_compared(out_, row, run, worked->second);
    } else if (has(run, "ratio")) {
        print_case(out_, row, run);
    } else {
        print_row(out_, row, run);
    }
    std::fflush(out_);
}

void Table::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        report(run);
    }
}

}  // namespace workbook::bench
