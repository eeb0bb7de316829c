#include "tests/story/plain_llama.hpp"

#include <algorithm>
#include <cmath>

namespace workbook::story {

PlainLlama::Weight PlainLlama::transposed(const Matrix& weight) {
    const std::size_t in = weight.shape(0);
    const std::size_t out = weight.shape(1);
    Weight copy{in, Vector(in * out)};
    for (std::size_t i = 0; i < in; ++i) {
        for (std::size_t o = 0; o < out; ++o) {
            copy.elements[o * in + i] = weight(i, o);
        }
    }
    return copy;
}

PlainLlama::PlainLlama(const Llama& model, std::size_t max_len)
    : config_(model.config()),
      embedding_(model.embedding().begin(), model.embedding().end()),
      output_norm_(model.output_norm().begin(), model.output_norm().end()),
      output_(transposed(model.output())) {
    const std::size_t kv_width = config_.attention.n_kv_heads * config_.attention.head_dim();
    for (std::size_t l = 0; l < config_.n_layers; ++l) {
        const Block& block = model.block(l);
        const AttentionWeights& weights = block.attention.weights();
        layers_.push_back({{block.attention_norm.begin(), block.attention_norm.end()},
                           {block.feed_forward_norm.begin(), block.feed_forward_norm.end()},
                           transposed(weights.wq),
                           transposed(weights.wk),
                           transposed(weights.wv),
                           transposed(weights.wo),
                           transposed(block.gate),
                           transposed(block.up),
                           transposed(block.down),
                           Vector(max_len * kv_width),
                           Vector(max_len * kv_width)});
    }
}

PlainLlama::Vector PlainLlama::product(const Weight& weight, const Vector& x) {
    Vector y(weight.elements.size() / weight.in);
    const Scalar* row = weight.elements.data();
    for (Scalar& element : y) {
        Scalar sum = 0;
        for (std::size_t i = 0; i < weight.in; ++i) {
            sum += row[i] * x[i];
        }
        element = sum;
        row += weight.in;
    }
    return y;
}

PlainLlama::Vector PlainLlama::normalised(const Vector& x, const Vector& weight) const {
    double squares = 0;
    for (const Scalar element : x) {
        squares += static_cast<double>(element) * static_cast<double>(element);
    }
    const double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + config_.rms_epsilon);
    Vector y(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) {
        y[c] = static_cast<Scalar>(static_cast<double>(x[c]) * scale) * weight[c];
    }
    return y;
}

void PlainLlama::rotate(Vector& heads) const {
    const std::size_t head_dim = config_.attention.head_dim();
    for (std::size_t i = 0; i < heads.size(); i += 2) {
        const double exponent = -static_cast<double>(i % head_dim) / static_cast<double>(head_dim);
        const double angle = static_cast<double>(position_) * std::pow(*config_.attention.rope_base, exponent);
        const auto first = static_cast<double>(heads[i]);
        const auto second = static_cast<double>(heads[i + 1]);
        heads[i] = static_cast<Scalar>(first * std::cos(angle) - second * std::sin(angle));
        heads[i + 1] = static_cast<Scalar>(first * std::sin(angle) + second * std::cos(angle));
    }
}

void PlainLlama::mix_head(const Layer& layer, const Vector& q, std::size_t head, Vector& mixed) const {
    const std::size_t head_dim = config_.attention.head_dim();
    const std::size_t kv_width = config_.attention.n_kv_heads * head_dim;
    const std::size_t kv_begin = head / config_.attention.group_size() * head_dim;
    Vector weights(position_ + 1);
    Scalar largest = -std::numeric_limits<Scalar>::infinity();
    const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(head_dim));
    for (std::size_t j = 0; j <= position_; ++j) {
        Scalar dot = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
            dot += q[head * head_dim + c] * layer.keys[j * kv_width + kv_begin + c];
        }
        weights[j] = dot * scale;
        largest = std::max(largest, weights[j]);
    }
    Scalar total = 0;
    for (Scalar& weight : weights) {
        weight = std::exp(weight - largest);
        total += weight;
    }
    for (std::size_t j = 0; j <= position_; ++j) {
        const Scalar weight = weights[j] / total;
        for (std::size_t c = 0; c < head_dim; ++c) {
            mixed[head * head_dim + c] += weight * layer.values[j * kv_width + kv_begin + c];
        }
    }
}

PlainLlama::Vector PlainLlama::attention(Layer& layer, const Vector& x) const {
    Vector q = product(layer.wq, x);
    Vector k = product(layer.wk, x);
    const Vector v = product(layer.wv, x);
    rotate(q);
    rotate(k);
    std::ranges::copy(k, layer.keys.begin() + static_cast<std::ptrdiff_t>(position_ * k.size()));
    std::ranges::copy(v, layer.values.begin() + static_cast<std::ptrdiff_t>(position_ * v.size()));
    Vector mixed(q.size());
    for (std::size_t head = 0; head < config_.attention.n_heads; ++head) {
        mix_head(layer, q, head, mixed);
    }
    return product(layer.wo, mixed);
}

PlainLlama::Vector PlainLlama::feed_forward(const Layer& layer, const Vector& x) {
    Vector gate = product(layer.gate, x);
    const Vector up = product(layer.up, x);
    for (std::size_t f = 0; f < gate.size(); ++f) {
        gate[f] = gate[f] / (1 + std::exp(-gate[f])) * up[f];
    }
    return product(layer.down, gate);
}

std::vector<Scalar> PlainLlama::read(TokenId token) {
    const auto d_model = static_cast<std::ptrdiff_t>(config_.attention.d_model);
    const auto row = embedding_.begin() + token * d_model;
    Vector x(row, row + d_model);
    const auto add = [&x](const Vector& y) { std::ranges::transform(x, y, x.begin(), std::plus<>()); };
    for (Layer& layer : layers_) {
        add(attention(layer, normalised(x, layer.attention_norm)));
        add(feed_forward(layer, normalised(x, layer.feed_forward_norm)));
    }
    ++position_;
    return product(output_, normalised(x, output_norm_));
}

}  // namespace workbook::story
