// ./workbook bench: what attention costs on this machine, beside what it has to cost.
#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>

#include "measure.hpp"
#include "setting.hpp"
#include "table.hpp"

namespace {

namespace bench = workbook::bench;

struct Options {
    bench::Selection selection;
    bool json = false;
    std::string commit = "unknown";
    std::string worked;  // path
};

// @return the exit code
int run(const Options& options) {
    std::FILE* out = options.json ? stderr : stdout;  // with --json, the document has standard output to itself
    const nlohmann::ordered_json setting = bench::setting(options.commit);
    std::fputs(bench::text_of(setting).c_str(), out);
    bench::Table table(out, options.worked.empty() ? bench::WorkedTimes{} : bench::worked_times_in(options.worked));
    bench::register_cases(options.selection, [&](const std::string& name) { table.begin(name); });
    if (!options.selection.steps) {
        bench::register_bytes();
    }
    if (!options.selection.quick && !options.selection.steps) {
        bench::register_growth();
    }
    benchmark::RunSpecifiedBenchmarks(&table);
    if (options.json) {
        std::cout << nlohmann::ordered_json{{"setting", setting}, {"rows", table.rows()}}.dump(1) << "\n";
    }
    return table.all_right() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Measure what attention costs on this machine.", "./workbook bench");
    Options options;
    app.add_flag("--quick", options.selection.quick, "A few cases, in less than 20 seconds");
    app.add_flag("--json", options.json, "All numbers as JSON on standard output");
    app.add_flag("--steps", options.selection.steps, "Only what is made of the steps that one writes");
    app.add_option("--commit", options.commit, "The commit that is measured");
    app.add_option("--against", options.worked, "Compare with this file, written by --json")->check(CLI::ExistingFile);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << error.what() << "\nTry ./workbook help.\n";
        return 2;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 3;
    }
}
