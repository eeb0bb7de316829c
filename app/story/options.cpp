#include "app/story/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/story/wrong_request.hpp"

namespace workbook::story {

namespace {

// CLI11's own range lets NaN through.
CLI::Validator number_from(double lowest, double highest) {
    return {[=](std::string& text) {
                double number = 0;
                const bool valid = CLI::detail::lexical_cast(text, number) && number >= lowest && number <= highest;
                return valid ? std::string()
                             : fmt::format("a number from {:g} to {:g} was expected, got {}", lowest, highest, text);
            },
            ""};
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
    app.add_option("--model", options.model, "a model file in GGUF, float32 or float16");
    CLI::Option* prompt = app.add_option("--prompt", options.prompt, "how the story begins");
    CLI::Option* batch =
        app.add_option("--batch", options.batch, "a file with one prompt per line; tells all of them at once");
    app.add_option("--tokens", options.n_tokens, "at most this many new tokens")->check(CLI::Range(1, 1'000'000));
    CLI::Option* temperature = app.add_option("--temperature", options.sampling.temperature,
                                              "0 always takes the likeliest token; higher is wilder")
                                   ->check(number_from(0, 100));
    app.add_option("--top-p", options.sampling.top_p,
                   "sample only from the likeliest tokens that together have this probability")
        ->check(number_from(0, 1))
        ->needs(temperature);
    app.add_option("--seed", options.sampling.seed, "seed for sampling")->needs(temperature);
    app.add_flag("--no-cache", options.no_cache, "run all tokens again for each new one");
    CLI::Option* compare = app.add_flag("--compare", options.compare, "find where you and the worked solution differ");
    app.add_flag("--record", options.record)->group("");
    CLI::Option* all_mine = app.add_flag("--all-mine", options.all_mine, "use your files for all parts");
    CLI::Option* solution = app.add_flag("--solution", options.solution, "use the worked solutions");
    batch->excludes(prompt)->excludes(compare);
    solution->excludes(all_mine)->excludes(compare);
}

Options read_options(int argc, char** argv) {
    Options options;
    CLI::App app("Tells a story with the attention that it is linked with.", "./workbook story");
    add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        throw WrongRequest(error.what());
    }
    return options;
}

}  // namespace workbook::story
