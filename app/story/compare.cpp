#include "app/story/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/base/layout.hpp"
#include "app/base/text.hpp"
#include "app/judge/naming/diagnosis.hpp"
#include "app/show/report.hpp"
#include "reference/closeness.hpp"
#include "reference/mistakes/evidence.hpp"
#include "reference/mistakes/models/cached_calls.hpp"

namespace workbook::story {

namespace {

// Rounding grows on its way through the layers, so there is more room than in a graded test.
bool is_close(double actual, double expected) {
    const double tolerance = sizeof(Scalar) == sizeof(double) ? 1e-8 : 1e-2;
    return (std::isnan(actual) && std::isnan(expected)) || actual == expected ||
           std::abs(actual - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

// The first of the T slots in which two results [1, T, ·] differ.
std::optional<std::size_t> first_wrong_slot(const Tensor<3>& actual, const Tensor<3>& expected) {
    const auto [wrong, right] = std::ranges::mismatch(actual, expected, is_close);
    if (wrong == actual.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(wrong - actual.begin()) / actual.shape(2);
}

// One layer reads what it read in the worked solution, from its first call on, with a cache of its own or without.
class LayerReplay {
public:
    LayerReplay(const Attention& attention, Caching caching, std::size_t max_len)
        : attention_(attention),
          caching_(caching),
          cache_(1, attention.config().n_kv_heads, max_len, attention.config().head_dim()),
          calls_(attention, cache_) {}

    Tensor<3> forward(const Tensor<3>& x) {
        x_ = x;
        if (caching_ == Caching::off) {
            return attention_.forward(x);
        }
        const Lengths n_new{x.shape(1)};
        calls_.note(x, n_new);
        return attention_.forward(x, cache_, n_new);
    }

    // What an implementation with these decisions gives in the last call.
    [[nodiscard]] reference::Array<3> answer(const mistakes::Decisions& decisions) const {
        return caching_ == Caching::on
                   ? calls_.answer(decisions)
                   : mistakes::forward(mistakes::layer_of(attention_), reference::to_double(x_), decisions);
    }

private:
    const Attention& attention_;
    Caching caching_;
    KVCache cache_;
    mistakes::CachedCalls calls_;
    Tensor<3> x_;
};

// The layer without its output projection: what comes out are the heads, side by side.
Attention without_output_projection(const Attention& attention) {
    AttentionWeights weights = attention.weights();
    weights.wo = xt::eye<Scalar>(attention.config().d_model);
    return {attention.config(), std::move(weights)};
}

// Finds out what is wrong with one layer.
class Examination {
public:
    Examination(const Attention& attention, Caching caching, const std::vector<Step>& steps, std::size_t layer,
                std::size_t max_len)
        : attention_(attention), caching_(caching), steps_(steps), layer_(layer), max_len_(max_len) {}

    // Query heads that are wrong in slot t of the last step.
    [[nodiscard]] std::vector<std::size_t> wrong_heads(std::size_t slot) const {
        const Attention heads_only = without_output_projection(attention_);
        LayerReplay replay(heads_only, caching_, max_len_);
        Tensor<3> actual;
        for (const Step& step : steps_) {
            actual = replay.forward(step.layers[layer_].x);  // [1, T, H·d]
        }
        const reference::Array<3> expected = replay.answer({});
        const std::size_t head_dim = attention_.config().head_dim();
        std::set<std::size_t> heads;
        for (std::size_t c = 0; c < actual.shape(2); ++c) {
            if (!is_close(static_cast<double>(actual(0, slot, c)), expected(0, slot, c))) {
                heads.insert(c / head_dim);
            }
        }
        return {heads.begin(), heads.end()};
    }

    // The mistakes that give what the layer gives in the last step and, while there are several, in some that follow.
    [[nodiscard]] std::optional<app::Finding> finding(std::istream& worked) const {
        LayerReplay replay(attention_, caching_, max_len_);
        for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
            static_cast<void>(replay.forward(steps_[i].layers[layer_].x));
        }
        mistakes::Evidence evidence;
        weigh(evidence, replay, steps_.back().layers[layer_]);
        try {
            constexpr int most = 5;
            for (int i = 0; i < most && evidence.suspects().size() > 1; ++i) {
                if (const std::optional<Step> step = read_step(worked)) {
                    weigh(evidence, replay, step->layers[layer_]);
                }
            }
        } catch (const std::exception&) {
            // A later call that throws takes nothing away from what this one showed.
        }
        app::TestResult result;
        result.suspects = evidence.suspects();
        const std::vector<app::Finding> findings = app::findings_of({.step = "", .title = "", .tests = {result}});
        return findings.empty() ? std::nullopt : std::optional(findings.front());
    }

private:
    static void weigh(mistakes::Evidence& evidence, LayerReplay& replay, const LayerCall& call) {
        const mistakes::Values actual = mistakes::values_of(replay.forward(call.x));
        const mistakes::Values expected = mistakes::values_of(call.y);
        const bool right = std::ranges::equal(actual.elements, expected.elements, reference::is_close);
        evidence.weigh(right, actual, expected,
                       mistakes::model_of([&](const auto& decisions) { return replay.answer(decisions); }));
    }

    const Attention& attention_;
    Caching caching_;
    const std::vector<Step>& steps_;
    std::size_t layer_;
    std::size_t max_len_;
};

// "query head 2 of 8", "query heads 2, 3 and 5 of 8", "all 8 query heads".
std::string heads_text(const std::vector<std::size_t>& heads, std::size_t n_heads) {
    if (heads.size() == n_heads) {
        return fmt::format("all {} query heads", n_heads);
    }
    std::vector<std::string> numbers(heads.size());
    std::ranges::transform(heads, numbers.begin(), [](std::size_t head) { return std::to_string(head); });
    return fmt::format("query {} {} of {}", heads.size() == 1 ? "head" : "heads", app::enumerated(numbers), n_heads);
}

}  // namespace

std::optional<Difference> first_difference(const Llama& model, Caching caching, std::size_t max_len,
                                           std::istream& worked, Tokens& tokens, const std::function<void()>& on_step) {
    Session session(model, 1, max_len, caching);
    std::vector<Tensor<3>> results;  // of every layer in the last call; without a cache, of all tokens
    session.observe([&](std::size_t, const Tensor<3>&, const Lengths&, const Tensor<3>& y) { results.push_back(y); });
    std::vector<Step> steps;
    while (std::optional<Step> step = read_step(worked)) {
        steps.push_back(std::move(*step));
        const Step& now = steps.back();
        results.clear();
        on_step();
        const Tensor<3> hidden = session.read({now.tokens});
        tokens.insert(tokens.end(), now.tokens.begin(), now.tokens.end());
        if (!first_wrong_slot(model.logits(hidden), model.logits(now.hidden))) {
            continue;
        }
        for (std::size_t layer = 0; layer < results.size(); ++layer) {
            const auto slot = first_wrong_slot(results[layer], now.layers[layer].y);
            if (slot) {
                const Examination examination(model.block(layer).attention, caching, steps, layer, max_len);
                const std::size_t first = tokens.size() - results[layer].shape(1);  // position of slot 0
                return Difference{first + *slot, layer, examination.wrong_heads(*slot), examination.finding(worked)};
            }
        }
        throw AttentionFailed("the logits differ, but no layer does");
    }
    return std::nullopt;
}

std::string difference_text(const Difference& difference, const Llama& model, const Vocabulary& vocabulary,
                            const Tokens& tokens) {
    const auto& [position, layer, heads, finding] = difference;
    const std::string what = heads.empty() ? "every query head is right; the fault is behind them"
                                           : heads_text(heads, model.config().attention.n_heads);
    const std::string piece = app::harmless(vocabulary.piece(tokens[position]));
    std::string text = fmt::format(
        "DIFFERENT: the logits after token {0}, \"{1}\", are not those of the worked solution.\n"
        "It begins in layer {2} of {3}, position {0}: {4}.\n",
        position, piece, layer, model.config().n_layers, what);
    text += finding ? app::finding_text(*finding, app::style_of_output())
                    : "None of the known mistakes gives this. The graded tests look at each step by itself: ./workbook "
                      "check 3, or check --all-mine for all of your files\n";
    return app::indented(text, "");
}

}  // namespace workbook::story
