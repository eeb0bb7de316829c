// ./workbook story: a published model tells a story with the learner's attention.
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "app/base/system/terminal.hpp"
#include "app/base/text.hpp"
#include "app/build/build.hpp"
#include "app/commands/command.hpp"
#include "app/judge/check.hpp"
#include "app/results/protocol.hpp"
#include "app/run/ending.hpp"
#include "app/run/foreground.hpp"
#include "app/show/report.hpp"
#include "app/story/model/published_model.hpp"
#include "app/story/options.hpp"

namespace workbook::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* where_to_get_it =
    "  https://huggingface.co/ggml-org/models/resolve/main/tinyllamas/stories260K.gguf\n"
    "It has 1.2 MB and is under the MIT licence.";

// The model that is named, or stories260K.gguf from the data folder or the project's.
fs::path model_of(const Project& project, const story::Options& options) {
    if (!options.model.empty()) {
        if (!fs::exists(options.model)) {
            throw WrongUse(fmt::format("--model: a file was expected, but {} does not exist", options.model));
        }
        return options.model;
    }
    const char* data = std::getenv("WORKBOOK_DATA");
    fs::path in_data = fs::path(data == nullptr ? "" : data) / published_model_name;
    fs::path in_project = project.source / published_model_name;
    if (data != nullptr && *data != '\0' && fs::exists(in_data)) {
        return in_data;
    }
    if (!fs::exists(in_project)) {
        throw WrongUse(
            fmt::format("The model is not here yet. Save it as {}:\n{}\n"
                        "Or name another Llama in GGUF, float32 or float16, with --model FILE.",
                        in_project.string(), where_to_get_it));
    }
    return in_project;
}

// A file with the published name has to be the published one.
void expect_published(const fs::path& model) {
    if (model.filename() != published_model_name || !fs::is_regular_file(model)) {
        return;
    }
    const std::string sha256 = sha256_of(model);
    if (sha256 != published_model_sha256) {
        throw WrongUse(fmt::format("{}: its sha256 is {}, but that of the published file is {}. Get it again:\n{}",
                                   model.string(), sha256, published_model_sha256, where_to_get_it));
    }
}

// Which attention tells the story.
struct Teller {
    Source source;
    std::string target;  // of the build
    std::string files;   // for the reader
};

Teller teller_of(const Project& project, const story::Options& options) {
    if (options.solution) {
        return {Source::solution, "story_solution", "the worked solutions"};
    }
    if (options.all_mine) {
        std::vector<std::string> files;
        for (const Part& part : project.parts()) {
            files.push_back(part.exercise());
        }
        return {Source::all_mine, "story_all_mine", enumerated(files)};
    }
    return {Source::mine, "story_mine", "part3_gqa/exercise.cpp and the worked parts 1 and 2"};
}

int ended(const RunResult& run) {
    if (run.signal == SIGPROF) {
        std::cerr << "\nThe story stops: a call of the attention did not end. An endless loop? (It had more than 5 "
                     "seconds\nof processor time.)\n";
        return not_all_passed;
    }
    if (run.signal == SIGPIPE) {
        return not_all_passed;  // nobody reads the story any more, as in ./workbook story | head
    }
    if (run.exit_code == grading::stack_used_up) {
        std::cerr << "\nThe story stops: " << explain(run, {}) << ".\n";
        return not_all_passed;
    }
    if (run.signal != 0) {
        std::cerr << fmt::format(
            "\nThe story stops: your code {}.\n./workbook check 3 --sanitize shows the line; check --all-mine "
            "--sanitize looks at all of your files.\n",
            explain(run, {}));
        return not_all_passed;
    }
    if (run.exit_code != all_passed && run.exit_code != not_all_passed && run.exit_code != wrong_use) {
        std::cerr << "\nThe story stops: the program ended before the story did. Does your code call exit?\n";
        return not_all_passed;
    }
    return run.exit_code;
}

// words: the command line behind "story", which the program reads for itself.
int story(const Project& project, const story::Options& options, const std::vector<std::string>& words) {
    const fs::path model = model_of(project, options);
    expect_published(model);
    const Teller teller = teller_of(project, options);
    {
        const BuildLock lock(project.build);
        Request request;
        request.source = teller.source;
        std::vector<std::string> targets{teller.target};
        if (options.compare) {
            targets.emplace_back("story_solution");
        }
        const GradedFiles files(project, request, project.part("3"));
        const PartResult built = build_programs(project, files, targets);
        if (!built.obstacle.empty()) {
            print(std::cout, built, style_of_output(), false);
            return not_all_passed;
        }
    }
    std::cout << style_of_output().dim(fmt::format("With {}:", teller.files)) << "\n\n" << std::flush;
    std::vector<std::string> command{(project.build / "bin" / teller.target).string()};
    command.insert(command.end(), words.begin(), words.end());
    if (options.model.empty()) {
        command.push_back("--model=" + model.string());
    }
    std::vector<std::vector<std::string>> pipeline{command};
    if (options.compare) {
        std::vector<std::string> worked = command;
        worked.front() = (project.build / "bin" / "story_solution").string();
        worked.emplace_back("--record");
        pipeline.insert(pipeline.begin(), worked);
    }
    setenv("OPENBLAS_NUM_THREADS", "1", 0);  // the products of a small model are too small to be shared out
    return ended(run_in_foreground(pipeline));
}

const bool story_is_registered = register_command({
    .name = "story",
    .arguments = "",
    .summary = "let a real model tell a story with your part 3 and the worked parts 1 and 2, then show speed and cache",
    .place = 100,
    .target = "story_prepared",
    .describe =
        [](CLI::App& options) {
            const auto arguments = std::make_shared<story::Options>();
            story::add_options(options, *arguments);
            return [arguments](const Call& call) { return story(call.project, *arguments, call.words); };
        },
});

}  // namespace

}  // namespace workbook::app
