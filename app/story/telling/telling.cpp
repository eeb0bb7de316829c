#include "app/story/telling/telling.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/base/median.hpp"
#include "app/base/text.hpp"
#include "app/show/cost_table.hpp"

namespace workbook::story {

namespace {

double seconds_of(const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

reference::Count memory_of_machine() {
    return static_cast<reference::Count>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<reference::Count>(sysconf(_SC_PAGESIZE));
}

// Chooses a token for every row that brought one, from the hidden states of the last call.
class Chooser {
public:
    Chooser(const Llama& model, std::size_t batch, const Sampling& sampling)
        : model_(model), samplers_(batch, Sampler(sampling)) {}

    // The next tokens of the rows with n_new[b] > 0, [B].
    [[nodiscard]] Tokens choose(const Tensor<3>& hidden, const Lengths& n_new) {
        const Tensor<3> logits = model_.logits(last_of_each(hidden, n_new));  // [B, 1, V]
        if (!std::ranges::all_of(logits, [](Scalar logit) { return std::isfinite(logit); })) {
            throw AttentionFailed("the model's logits are infinite or NaN; --compare says where it begins");
        }
        Tokens next(n_new.size());
        for (std::size_t b = 0; b < n_new.size(); ++b) {
            if (n_new[b] > 0) {
                next[b] = samplers_[b].next({&logits(b, 0, 0), logits.shape(2)});
            }
        }
        return next;
    }

private:
    const Llama& model_;
    std::vector<Sampler> samplers_;
};

// Seconds of one call with the last token of every row.
double measure_last_token(const Llama& model, const std::vector<Tokens>& texts, Caching caching) {
    Session session(model, texts.size(), std::ranges::max(lengths_of(texts)), caching);
    std::vector<Tokens> last = texts;  // without a cache it takes a pass over the whole text
    if (caching == Caching::on) {
        std::vector<Tokens> first = texts;
        for (std::size_t b = 0; b < texts.size(); ++b) {
            first[b].pop_back();
            last[b] = {texts[b].back()};
        }
        if (std::ranges::any_of(first, [](const Tokens& row) { return !row.empty(); })) {
            static_cast<void>(session.read(first));
        }
    }
    return seconds_of([&] { static_cast<void>(session.read(last)); });
}

}  // namespace

void expect_room(const Llama& model, const std::vector<Tokens>& prompts, std::size_t n_tokens) {
    const std::size_t context = model.config().context_length;
    const Lengths lengths = lengths_of(prompts);
    const std::size_t longest = *std::ranges::max_element(lengths);
    if (longest >= context) {
        throw WrongRequest(
            fmt::format("The prompt has {} tokens, including the one that begins the text, but the model's context "
                        "(llama.context_length) has room for {}.",
                        app::grouped(longest), app::grouped(context)));
    }
    if (n_tokens > context - longest) {
        throw WrongRequest(fmt::format(
            "--tokens: at most {} was expected, got {}; the model's context (llama.context_length) has room for {} and "
            "the prompt has {}.",
            app::grouped(context - longest), app::grouped(n_tokens), app::grouped(context), app::grouped(longest)));
    }
    const reference::Count bytes = reserved_bytes(model.shape(), prompts.size(), longest + n_tokens);
    if (bytes > memory_of_machine()) {
        throw WrongRequest(fmt::format(
            "The cache for {} tokens in {} takes {}, but this machine has {} of memory; ask for fewer --tokens.",
            app::grouped(longest + n_tokens), app::counted(prompts.size(), "row"), app::in_binary_units(bytes),
            app::in_binary_units(memory_of_machine())));
    }
}

std::vector<Tokens> tell(const Llama& model, const Vocabulary& vocabulary, const std::vector<Tokens>& prompts,
                         std::size_t n_tokens, const Sampling& sampling, const Read& read, const OnToken& on_token) {
    Chooser chooser(model, prompts.size(), sampling);
    std::vector<Tokens> told(prompts.size());
    std::vector<Tokens> new_tokens = prompts;
    for (std::size_t step = 0; step < n_tokens; ++step) {
        const Lengths n_new = lengths_of(new_tokens);
        if (std::ranges::all_of(n_new, [](std::size_t n) { return n == 0; })) {
            break;
        }
        const Tokens next = chooser.choose(read(new_tokens), n_new);
        for (std::size_t b = 0; b < told.size(); ++b) {
            new_tokens[b].clear();
            if (n_new[b] > 0 && !vocabulary.ends_text(next[b])) {
                new_tokens[b].push_back(next[b]);
                told[b].push_back(next[b]);
                on_token(b, next[b]);
            }
        }
    }
    return told;
}

double seconds_of_last_token(const Llama& model, const std::vector<Tokens>& texts, Caching caching) {
    constexpr std::size_t fewest = 3;
    constexpr std::size_t most = 9;
    constexpr double enough = 1;
    std::vector<double> runs;
    for (double total = 0; runs.size() < fewest || (runs.size() < most && total < enough); total += runs.back()) {
        runs.push_back(measure_last_token(model, texts, caching));
    }
    return app::median(runs);
}

}  // namespace workbook::story
