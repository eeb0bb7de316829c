/// @file
/// Benchmarks as tables of 80 columns.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace workbook::bench {

/// Seconds of the worked solution by the name of the benchmark.
using WorkedTimes = std::map<std::string, double>;

/// Reads what a run with --json has written.
/// @throws std::runtime_error when the file does not hold that
[[nodiscard]] WorkedTimes worked_times_in(const std::filesystem::path& path);

/// What a benchmark is registered as: "group/row".
struct Name {
    std::string group, row;

    explicit Name(const std::string& registered);

    [[nodiscard]] std::string text() const { return group + ", " + row; }
};

/// Prints each benchmark as a row, under a heading for its group.
class Table : public benchmark::BenchmarkReporter {
public:
    /// @param worked  when not empty, rows are compared with it
    Table(std::FILE* out, WorkedTimes worked) : out_(out), worked_(std::move(worked)) {}

    /// Begins a row that is compared, so that one sees which case runs, or does not end.
    /// @param name  of the benchmark
    void begin(const std::string& name);

    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;

    /// The rows so far: group, row and the counters of each, or the problem in place of them.
    [[nodiscard]] const nlohmann::ordered_json& rows() const { return rows_; }

    /// Whether no row has a problem.
    [[nodiscard]] bool all_right() const { return all_right_; }

private:
    void report(const Run& run);
    void print_heading(const std::string& group, const Run& run);
    void print_problem(const Name& name, const std::string& problem);
    void print(const Name& name, const Run& run);

    std::FILE* out_;
    WorkedTimes worked_;
    std::string group_;  // under the heading of which rows are printed
    bool all_right_ = true;
    nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

}  // namespace workbook::bench
