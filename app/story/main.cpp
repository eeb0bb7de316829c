// Tells a story with a model and the attention that this program is linked with. ./workbook story builds and starts it,
// and says in words how it ended.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/story/compare.hpp"
#include "app/story/options.hpp"
#include "app/story/progress_line.hpp"
#include "app/story/summary.hpp"
#include "app/story/telling/telling.hpp"
#include "app/story/telling/text_stream.hpp"
#include "app/story/wrong_request.hpp"

namespace {

using namespace workbook::story;  // NOLINT(google-build-using-namespace): a program of one file

// Exit codes, those of ./workbook.
constexpr int done = 0;
constexpr int not_right = 1;
constexpr int wrong_use = 2;
constexpr int left_early = 79;  // something called exit

// The lines of a file that are not blank.
std::vector<std::string> prompts_in(const std::string& path) {
    std::vector<std::string> prompts;
    for (const std::string& line : workbook::app::lines_of(
             workbook::app::replaced(workbook::app::read_file(path), "\r\n", "\n"))) {  // a file may come from Windows
        if (line.find_first_not_of(" \t") != std::string::npos) {
            prompts.push_back(line);
        }
    }
    if (prompts.empty()) {
        throw WrongRequest(fmt::format("--batch: a file with a prompt in each line was expected, but {} {}", path,
                                       std::ifstream(path).is_open() ? "has none" : "cannot be read"));
    }
    return prompts;
}

// A model and what it is asked to do.
struct Task {
    const Options& options;
    const Llama& model;
    const Vocabulary& vocabulary;
    std::vector<std::string> texts;  // the prompts as they were given, [B]
    std::vector<Tokens> prompts;     // and as tokens
    Caching caching;
    std::size_t n_tokens = 0;  // the most new ones
    std::size_t max_len = 0;   // capacity of the caches
};

Task task_of(const Options& options, const Llama& model, const Vocabulary& vocabulary) {
    Task task{options, model, vocabulary, {options.prompt}, {}, options.no_cache ? Caching::off : Caching::on};
    if (!options.batch.empty()) {
        task.texts = prompts_in(options.batch);
    }
    for (const std::string& text : task.texts) {
        task.prompts.push_back(vocabulary.prompt(text));
    }
    constexpr std::size_t usual = 256;
    const std::size_t longest = std::ranges::max(lengths_of(task.prompts));
    const std::size_t room = model.config().context_length - std::min(longest, model.config().context_length);
    task.n_tokens = options.n_tokens.value_or(std::min(usual, room));
    task.max_len = longest + task.n_tokens;
    expect_room(model, task.prompts, task.n_tokens);
    return task;
}

std::vector<Tokens> tell_with(const Task& task, const Read& read, const OnToken& on_token) {
    return tell(task.model, task.vocabulary, task.prompts, task.n_tokens, task.options.sampling, read, on_token);
}

// The text as it comes.
std::vector<Tokens> print_story(const Task& task, const Read& read) {
    TextStream stream;
    std::cout << workbook::app::harmless(task.texts.front()) << std::flush;
    std::vector<Tokens> told = tell_with(task, read, [&](std::size_t, TokenId token) {
        std::cout << stream.add(task.vocabulary.bytes(token)) << std::flush;
    });
    std::cout << stream.finish() << "\n";
    return told;
}

// The texts of a batch, when all of them are there.
std::vector<Tokens> print_stories(const Task& task, const Read& read) {
    ProgressLine progress;
    std::size_t count = 0;
    std::vector<Tokens> told = tell_with(task, read, [&](std::size_t, TokenId) {
        progress.show(fmt::format("{} tokens of {} stories", ++count, task.prompts.size()));
    });
    progress.clear();
    for (std::size_t b = 0; b < told.size(); ++b) {
        std::string bytes = task.texts[b];
        for (const TokenId token : told[b]) {
            bytes += task.vocabulary.bytes(token);
        }
        std::cout << fmt::format("--- {} of {}\n{}\n", b + 1, told.size(), workbook::app::harmless(bytes));
    }
    return told;
}

int tell_stories(const Task& task) {
    Session session(task.model, task.prompts.size(), task.max_len, task.caching);
    const Read read = [&](const std::vector<Tokens>& new_tokens) { return session.read(new_tokens); };
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Tokens> told = task.options.batch.empty() ? print_story(task, read) : print_stories(task, read);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ProgressLine progress;
    progress.show("measuring with and without a cache");
    const std::string text =
        summary(task.model, {task.prompts, told, task.caching, task.max_len, session.cache_bytes(), seconds});
    progress.clear();
    std::cout << "\n" << text;
    return done;
}

// The worked solution's half of a comparison.
int record(const Task& task) {
    Session session(task.model, 1, task.max_len, task.caching);
    std::vector<LayerCall> calls;
    session.observe(
        [&](std::size_t, const workbook::Tensor<3>& x, const workbook::Lengths&, const workbook::Tensor<3>& y) {
            calls.push_back({x, y});
        });
    const Read read = [&](const std::vector<Tokens>& new_tokens) {
        calls.clear();
        workbook::Tensor<3> hidden = session.read(new_tokens);
        write_step(std::cout, {new_tokens.front(), calls, hidden});
        std::cout.flush();
        return hidden;
    };
    static_cast<void>(tell_with(task, read, [](std::size_t, TokenId) {}));
    return done;
}

// The other half, with the steps of the worked solution on standard input.
int compare(const Task& task) {
    ProgressLine progress;
    Tokens tokens;
    const auto difference = first_difference(task.model, task.caching, task.max_len, std::cin, tokens,
                                             [&] { progress.show(fmt::format("compared {} tokens", tokens.size())); });
    progress.clear();
    if (difference) {
        std::cout << difference_text(*difference, task.model, task.vocabulary, tokens);
        return not_right;
    }
    if (tokens.empty()) {
        throw std::runtime_error("the worked solution did not run");
    }
    std::cout << "The same logits as the worked solution, up to rounding, after each of " << tokens.size()
              << " tokens.\n";
    if (task.caching == Caching::on && task.prompts.front().size() == 1) {
        std::cout << "Each call had one token, which sees all before it, so no mask was needed: try --prompt TEXT\n"
                     "and --no-cache too.\n";
    }
    return done;
}

int run(const Options& options) {
    ProgressLine progress;
    progress.show("reading " + options.model);
    const MappedFile file(options.model);
    Gguf gguf(file.bytes(), options.model);
    const Vocabulary vocabulary(gguf);
    const Llama model(gguf);
    progress.clear();
    const Task task = task_of(options, model, vocabulary);
    return options.record ? record(task) : options.compare ? compare(task) : tell_stories(task);
}

int stop(int code, const std::string& message) {
    std::cout << std::flush;
    std::cerr << workbook::app::harmless(workbook::app::shortened(message, 2000)) << "\n";
    return code;
}

bool is_over = false;  // read when the program ends: whether it came to its end, or something called exit

int tell_and_say_why_not(int argc, char** argv) {
    try {
        return run(read_options(argc, argv));
    } catch (const BadModel& error) {
        return stop(wrong_use, error.what());
    } catch (const WrongRequest& error) {
        return stop(wrong_use, error.what());
    } catch (const workbook::NotImplemented& error) {
        const std::string step = error.what();
        return stop(not_right, fmt::format("\nThe story stops: step {}.\nFor a hint: ./workbook hint {}", step,
                                           step.substr(0, step.find(' '))));
    } catch (const std::exception& error) {
        return stop(not_right, fmt::format("\nThe story stops: {}", error.what()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::atexit([] {
        if (!is_over) {
            std::cout.flush();
            std::_Exit(left_early);
        }
    });
    const int code = tell_and_say_why_not(argc, argv);
    is_over = true;
    return code;
}
