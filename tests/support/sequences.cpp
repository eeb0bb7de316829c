#include "tests/support/sequences.hpp"

#include "tests/support/answer.hpp"
#include "tests/support/harness/unchanged.hpp"

namespace workbook::grading {

namespace {

std::string counts_text(const Lengths& counts) {
    std::string text;
    for (const std::size_t count : counts) {
        text += (text.empty() ? "" : "|") + std::to_string(count);
    }
    return text;
}

}  // namespace

RaggedRows::RaggedRows(const Attention& layer, const KVCache& cache, const Lengths& final_lengths, unsigned seed,
                       const Forward& streaming)
    : layer_(layer),
      forward_(streaming),
      calls_(layer, cache, static_cast<bool>(streaming)),
      fed_(final_lengths.size(), 0) {
    if (!forward_) {
        forward_ = [](const Attention& own, const Tensor<3>& x, KVCache& to, const Lengths& n_new) {
            return own.forward(x, to, n_new);
        };
    }
    for (const std::size_t length : final_lengths) {
        x_.push_back(random_tensor<3>({1, length, layer.config().d_model}, seed++));
        expected_.push_back(reference::forward(layer.config(), layer.weights(), reference::to_double(x_.back())));
    }
}

std::size_t RaggedRows::remaining(std::size_t row) const {
    return x_[row].shape(1) - fed_[row];
}

void RaggedRows::feed(KVCache& cache, const Lengths& n_new, std::size_t slots, Scalar padding) {
    if (::testing::Test::HasFailure()) {
        return;  // one wrong call makes the others wrong
    }
    SCOPED_TRACE("a call of " + counts_text(n_new) + " tokens in " + std::to_string(slots) + " slots, on top of " +
                 counts_text(fed_));
    const Tensor<3> x = next_input(n_new, slots, padding);
    calls_.note(x, n_new);
    const auto answer = [&](const mistakes::Decisions& decisions) { return calls_.answer(decisions); };
    const Unchanged x_stays("x", x);
    const Unchanged n_new_stays("n_new", n_new);
    const Tensor<3> y = fitting([&] { return forward_(layer_, x, cache, n_new); }, answer);
    // Lengths are compared whatever the answer is: mistakes that answer alike may differ there.
    EXPECT_ANSWER(y, next_output(n_new, slots), answer);
    for (std::size_t b = 0; b < n_new.size(); ++b) {
        fed_[b] += n_new[b];
        ++comparisons_;
    }
    ASSERT_ANSWER(as_array(cache.lengths()), as_array(fed_), [&](const auto& decisions) {
        return calls_.lengths(decisions);
    }) << "the lengths of the cache after the call";
}

Tensor<3> RaggedRows::next_input(const Lengths& n_new, std::size_t slots, Scalar padding) const {
    const std::size_t d_model = layer_.config().d_model;
    Tensor<3> x({n_new.size(), slots, d_model});
    x.fill(padding);
    for (std::size_t b = 0; b < n_new.size(); ++b) {
        for (std::size_t t = 0; t < n_new[b]; ++t) {
            for (std::size_t c = 0; c < d_model; ++c) {
                x(b, t, c) = x_[b](0, fed_[b] + t, c);
            }
        }
    }
    return x;
}

reference::Array<3> RaggedRows::next_output(const Lengths& n_new, std::size_t slots) const {
    const std::size_t d_model = layer_.config().d_model;
    reference::Array<3> y({n_new.size(), slots, d_model});
    y.fill(0);
    for (std::size_t b = 0; b < n_new.size(); ++b) {
        for (std::size_t t = 0; t < n_new[b]; ++t) {
            for (std::size_t c = 0; c < d_model; ++c) {
                y(b, t, c) = expected_[b](0, fed_[b] + t, c);
            }
        }
    }
    return y;
}

}  // namespace workbook::grading
