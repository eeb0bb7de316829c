#include "app/story/telling/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/results/exception_text.hpp"
#include "app/story/processor_time.hpp"

namespace workbook::story {

namespace {

// Rows of different lengths beside each other, [B, T]. Padding is token 0, which nobody looks at.
TokenSlots slots_of(const std::vector<Tokens>& rows) {
    std::size_t q_len = 0;
    for (const Tokens& row : rows) {
        q_len = std::max(q_len, row.size());
    }
    TokenSlots slots = xt::zeros<TokenId>({rows.size(), q_len});
    for (std::size_t b = 0; b < rows.size(); ++b) {
        std::ranges::copy(rows[b], slots.data() + b * q_len);
    }
    return slots;
}

// What a call of one layer may take: as long as a graded test, and what the work takes at ten million operations a
// second, which is slow even for plain loops.
double seconds_for(const reference::ModelShape& shape, const Tensor<3>& x, std::size_t past) {
    const reference::Count flops =
        projection_flops(shape, x.shape(0) * x.shape(1)) + attention_flops(shape, x.shape(0), x.shape(1), past);
    return 5 + static_cast<double>(flops) / 1e7;
}

}  // namespace

Lengths lengths_of(const std::vector<Tokens>& rows) {
    Lengths lengths;
    std::ranges::transform(rows, std::back_inserter(lengths), [](const Tokens& row) { return row.size(); });
    return lengths;
}

Tensor<3> last_of_each(const Tensor<3>& hidden, const Lengths& n_new) {
    Tensor<3> last = xt::zeros<Scalar>({hidden.shape(0), std::size_t{1}, hidden.shape(2)});
    for (std::size_t b = 0; b < n_new.size(); ++b) {
        if (n_new[b] > 0) {
            std::copy_n(&hidden(b, n_new[b] - 1, 0), hidden.shape(2), &last(b, 0, 0));
        }
    }
    return last;
}

Session::Session(const Llama& model, std::size_t batch, std::size_t max_len, Caching caching)
    : model_(model), caching_(caching), texts_(batch) {
    const AttentionConfig& attention = model.config().attention;
    for (std::size_t layer = 0; caching == Caching::on && layer < model.config().n_layers; ++layer) {
        caches_.emplace_back(batch, attention.n_kv_heads, max_len, attention.head_dim());
    }
}

Tensor<3> Session::read(const std::vector<Tokens>& new_tokens) {
    Tensor<3> hidden = caching_ == Caching::on ? read_with_cache(new_tokens) : read_all_again(new_tokens);
    for (std::size_t b = 0; b < texts_.size(); ++b) {
        texts_[b].insert(texts_[b].end(), new_tokens[b].begin(), new_tokens[b].end());
    }
    return hidden;
}

Tensor<3> Session::read_with_cache(const std::vector<Tokens>& new_tokens) {
    const Lengths n_new = lengths_of(new_tokens);
    return model_.hidden(slots_of(new_tokens), [&](std::size_t layer, const Tensor<3>& x) {
        return guarded(layer, x, n_new,
                       [&] { return model_.block(layer).attention.forward(x, caches_[layer], n_new); });
    });
}

// Every text from its beginning. Padding is behind the tokens, where no token sees it.
Tensor<3> Session::read_all_again(const std::vector<Tokens>& new_tokens) {
    std::vector<Tokens> texts = texts_;
    for (std::size_t b = 0; b < texts.size(); ++b) {
        texts[b].insert(texts[b].end(), new_tokens[b].begin(), new_tokens[b].end());
    }
    const Lengths lengths = lengths_of(texts);
    const Tensor<3> all = model_.hidden(slots_of(texts), [&](std::size_t layer, const Tensor<3>& x) {
        return guarded(layer, x, lengths, [&] { return model_.block(layer).attention.forward(x); });
    });
    const std::size_t d_model = all.shape(2);
    Tensor<3> hidden = xt::zeros<Scalar>({texts.size(), slots_of(new_tokens).shape(1), d_model});
    for (std::size_t b = 0; b < texts.size(); ++b) {
        const std::size_t count = new_tokens[b].size() * d_model;
        std::copy_n(all.data() + (b * all.shape(1) + texts_[b].size()) * d_model, count,
                    hidden.data() + b * hidden.shape(1) * d_model);
    }
    return hidden;
}

Tensor<3> Session::guarded(std::size_t layer, const Tensor<3>& x, const Lengths& n_new,
                           const std::function<Tensor<3>()>& call) const {
    Tensor<3> y;
    try {
        const ProcessorTimeLimit limit(seconds_for(model_.shape(), x, longest_text()));
        y = call();
        expect_shape("forward", "the result", y.shape(), {x.shape(0), x.shape(1), x.shape(2)});
    } catch (const NotImplemented&) {
        throw;
    } catch (const std::exception& error) {
        throw AttentionFailed(fmt::format("attention of layer {}: {}", layer, grading::explained(error)));
    } catch (...) {
        throw AttentionFailed(
            fmt::format("attention of layer {}: it threw something that is not a std::exception", layer));
    }
    if (observer_) {
        observer_(layer, x, n_new, y);
    }
    return y;
}

std::size_t Session::longest_text() const {
    const Lengths lengths = lengths_of(texts_);
    return lengths.empty() ? 0 : *std::ranges::max_element(lengths);
}

std::size_t Session::cache_bytes() const {
    std::size_t bytes = 0;
    for (const KVCache& cache : caches_) {
        bytes += cache.bytes();
    }
    return bytes;
}

}  // namespace workbook::story
