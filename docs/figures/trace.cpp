#include "docs/figures/trace.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "part2_kv_cache/kv_cache.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::figures {

namespace {

using mistakes::Array;

// The channels of a head: key/value head, then source. Sources are the tokens of row 0, those of row 1, …, padding; one
// more channel stands for slots that nobody wrote.
class Channels {
public:
    explicit Channels(const Scenario& scenario)
        : scenario_(scenario), batch_(scenario.calls.front().size()), first_token_(batch_ + 1, 0) {
        for (std::size_t b = 0; b < batch_; ++b) {
            first_token_[b + 1] = first_token_[b];
            for (const Lengths& n_new : scenario.calls) {
                first_token_[b + 1] += n_new[b];
            }
        }
    }

    [[nodiscard]] std::size_t batch() const { return batch_; }
    [[nodiscard]] std::size_t token(std::size_t b, std::size_t position) const { return first_token_[b] + position; }
    [[nodiscard]] std::size_t padding() const { return first_token_.back(); }
    [[nodiscard]] std::size_t sources() const { return padding() + 1; }
    [[nodiscard]] std::size_t unwritten() const { return scenario_.n_kv_heads * sources(); }
    [[nodiscard]] std::size_t head_dim() const { return unwritten() + 1; }
    [[nodiscard]] std::size_t longest_row() const {
        std::size_t longest = 0;
        for (std::size_t b = 0; b < batch_; ++b) {
            longest = std::max(longest, first_token_[b + 1] - first_token_[b]);
        }
        return longest;
    }

    [[nodiscard]] AttentionConfig config() const {
        return {.d_model = scenario_.n_heads * head_dim(),
                .n_heads = scenario_.n_heads,
                .n_kv_heads = scenario_.n_kv_heads};
    }

    // Queries are zero, so all scores are equal; keys and values copy the source into every key/value head.
    [[nodiscard]] AttentionWeights weights() const {
        const std::size_t width = config().d_model;
        AttentionWeights weights{.wq = xt::zeros<Scalar>({width, width}),
                                 .wk = xt::zeros<Scalar>({width, scenario_.n_kv_heads * head_dim()}),
                                 .wv = {},
                                 .wo = xt::eye<Scalar>(width)};
        for (std::size_t source = 0; source < sources(); ++source) {
            for (std::size_t g = 0; g < scenario_.n_kv_heads; ++g) {
                const std::size_t channel = g * head_dim() + g * sources() + source;
                weights.wk(source, channel) = 1;
                if (scenario_.n_kv_heads == scenario_.n_heads) {
                    weights.wk(channel, source) = 1;  // symmetric: a transposed weight is no mistake in who sees whom
                }
            }
        }
        weights.wv = weights.wk;
        return weights;
    }

    // The input of a call on top of `past`, padded slots included.
    [[nodiscard]] Tensor<3> input(const Lengths& past, const Lengths& n_new) const {
        const std::size_t q_len = *std::ranges::max_element(n_new);
        Tensor<3> x = xt::zeros<Scalar>({batch_, q_len, config().d_model});
        for (std::size_t b = 0; b < batch_; ++b) {
            for (std::size_t t = 0; t < q_len; ++t) {
                x(b, t, t < n_new[b] ? token(b, past[b] + t) : padding()) = 1;
            }
        }
        return x;
    }

private:
    const Scenario& scenario_;
    std::size_t batch_;
    std::vector<std::size_t> first_token_;
};

std::vector<std::string> source_names(const Channels& channels) {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < channels.batch(); ++b) {
        for (std::size_t i = channels.token(b, 0); i < channels.token(b + 1, 0); ++i) {
            const std::string position = std::to_string(i - channels.token(b, 0));
            names.push_back(channels.batch() == 1 ? position : std::string(1, static_cast<char>('a' + b)) + position);
        }
    }
    names.insert(names.end(), {"pad", "?"});
    return names;
}

// The weight on each source in the output of one head, and on the slots that nobody wrote.
std::vector<double> weights_of(const Channels& channels, const double* out, std::size_t n_kv_heads,
                               std::vector<double>& by_kv_head) {
    std::vector<double> weights(channels.sources() + 1, 0);
    for (std::size_t g = 0; g < n_kv_heads; ++g) {
        for (std::size_t source = 0; source < channels.sources(); ++source) {
            const double weight = out[g * channels.sources() + source];
            weights[source] += weight;
            by_kv_head[g] += std::isnan(weight) ? 0 : std::abs(weight);
        }
    }
    weights.back() = out[channels.unwritten()];
    return weights;
}

using Forward = std::function<Array<3>(const Tensor<3>& x, const Lengths& n_new)>;

Trace follow(const Scenario& scenario, const Channels& channels, const Forward& forward) {
    Trace trace;
    trace.heads.resize(scenario.n_heads, Sight{{}, source_names(channels), {}});
    std::vector<std::vector<double>> by_kv_head(scenario.n_heads, std::vector<double>(scenario.n_kv_heads, 0));
    Lengths past(channels.batch(), 0);
    for (const Lengths& n_new : scenario.calls) {
        const Array<3> y = forward(channels.input(past, n_new), n_new);
        for (std::size_t b = 0; b < channels.batch(); ++b) {
            for (std::size_t t = 0; t < y.shape(1); ++t) {
                const std::string row = channels.batch() == 1 ? "" : std::string(1, static_cast<char>('a' + b));
                const std::string name = t < n_new[b] ? row + std::to_string(past[b] + t) : row + " pad";
                for (std::size_t h = 0; h < scenario.n_heads; ++h) {
                    trace.heads[h].queries.push_back(name);
                    trace.heads[h].weights.push_back(
                        weights_of(channels, &y(b, t, h * channels.head_dim()), scenario.n_kv_heads, by_kv_head[h]));
                }
            }
            past[b] += n_new[b];
        }
    }
    for (const std::vector<double>& sums : by_kv_head) {
        const auto reads = [](double sum) { return sum > 0; };
        if (std::ranges::count_if(sums, reads) > 1) {
            trace.kv_heads.clear();
            break;
        }
        trace.kv_heads.push_back(static_cast<std::size_t>(std::ranges::find_if(sums, reads) - sums.begin()));
    }
    return trace;
}

bool is_ragged(const Lengths& n_new) {
    return std::ranges::any_of(n_new, [&](std::size_t n) { return n != n_new.front(); });
}

}  // namespace

Trace trace(const Scenario& scenario) {
    const Channels channels(scenario);
    const Attention layer(channels.config(), channels.weights());
    KVCache cache(channels.batch(), scenario.n_kv_heads, channels.longest_row() + 2, channels.head_dim());
    return follow(scenario, channels, [&](const Tensor<3>& x, const Lengths& n_new) {
        return reference::to_double(!scenario.cached   ? layer.forward(x)
                                    : is_ragged(n_new) ? layer.forward(x, cache, n_new)
                                                       : layer.forward(x, cache));
    });
}

Trace trace(const Scenario& scenario, const mistakes::Decisions& decisions) {
    const Channels channels(scenario);
    const mistakes::Layer layer{channels.config(), channels.weights()};
    mistakes::CacheState cache{
        Array<4>({channels.batch(), scenario.n_kv_heads, channels.longest_row() + 2, channels.head_dim()}),
        {},
        Lengths(channels.batch(), 0)};
    cache.keys.fill(0);
    for (std::size_t i = channels.unwritten(); i < cache.keys.size(); i += channels.head_dim()) {
        cache.keys.data()[i] = 1;
    }
    cache.values = cache.keys;
    return follow(scenario, channels, [&](const Tensor<3>& x, const Lengths& n_new) {
        const Array<3> input = reference::to_double(x);
        return !scenario.cached   ? mistakes::forward(layer, input, decisions)
               : is_ragged(n_new) ? mistakes::forward(layer, input, cache, n_new, decisions)
                                  : mistakes::forward(layer, input, cache, decisions);
    });
}

}  // namespace workbook::figures
