// ./workbook bench: what attention costs on this machine, beside what it has to cost.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>

#include "app/bench/measure.hpp"
#include "app/bench/setting.hpp"
#include "app/bench/table.hpp"
#include "app/bench/watched.hpp"

namespace {

namespace bench = workbook::bench;

struct Options {
    bench::Selection selection;
    bool json = false;
    std::string commit = "unknown";
    std::string files = "the worked solutions";
    std::string worked;  // path
};

// Standard output as it was. From now on what is printed, by a learner's code too, goes to standard error.
std::FILE* keep_output_for_document() {
    std::FILE* document = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return document;
}

// @return the exit code
int run(const Options& options, const bench::WorkedTimes& worked, const bench::Announce& announce) {
    std::FILE* document = options.json ? keep_output_for_document() : nullptr;
    const nlohmann::ordered_json setting = bench::setting(options.commit, options.files);
    std::fputs(bench::text_of(setting).c_str(), stdout);
    bench::Table table(stdout, worked);
    bench::register_cases(options.selection, [&](const std::string& name) {
        announce(bench::Name(name).text());
        table.begin(name);
    });
    if (!options.selection.steps) {
        bench::register_bytes();
    }
    if (!options.selection.quick && !options.selection.steps) {
        bench::register_growth();
    }
    benchmark::RunSpecifiedBenchmarks(&table);
    if (options.json) {
        const nlohmann::ordered_json all{{"setting", setting}, {"rows", table.rows()}};
        std::fprintf(document, "%s\n", all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        std::fclose(document);
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
    app.add_option("--files", options.files, "The files that are measured");
    app.add_option("--against", options.worked, "Compare with this file, written by --json")->check(CLI::ExistingFile);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << error.what() << "\nTry ./workbook help.\n";
        return 2;
    }
    try {
        if (options.worked.empty()) {
            return run(options, {}, [](const std::string&) {});
        }
        const bench::WorkedTimes worked = bench::worked_times_in(options.worked);
        return bench::run_watched([&](const bench::Announce& announce) { return run(options, worked, announce); });
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 3;
    }
}
