/// @file
/// The options of ./workbook story.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/story/telling/sampling.hpp"

namespace CLI {
class App;
}

namespace workbook::story {

/// What the command line says.
struct Options {
    std::string model;
    std::string prompt;
    std::string batch;                    ///< a file with one prompt in each line; empty for the one prompt
    std::optional<std::size_t> n_tokens;  ///< none: 256, or as many as fit into the context
    Sampling sampling;
    bool no_cache = false;
    bool compare = false;
    bool record = false;    ///< for the worked solution in a comparison: steps as bytes in place of text
    bool all_mine = false;  ///< which attention is linked; the command builds the program that fits
    bool solution = false;
};

/// Adds the options to a command; parsing fills `options`.
void add_options(CLI::App& app, Options& options);

/// What a program's command line says.
/// @throws WrongRequest when it cannot be read
[[nodiscard]] Options read_options(int argc, char** argv);

}  // namespace workbook::story
