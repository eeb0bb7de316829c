#include "app/story/telling/record.hpp"

#include <array>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace workbook::story {

namespace {

template <class Element>
void write_elements(std::ostream& out, const Element* elements, std::size_t count) {
    out.write(reinterpret_cast<const char*>(elements), static_cast<std::streamsize>(count * sizeof(Element)));
}

template <class Element>
void read_elements(std::istream& in, Element* elements, std::size_t count) {
    in.read(reinterpret_cast<char*>(elements), static_cast<std::streamsize>(count * sizeof(Element)));
    if (!in) {
        throw std::runtime_error("the worked solution ended in the middle of a step");
    }
}

// How much a step holds: new tokens, layers, tokens of a layer's call (all of them without a cache), d_model.
using Sizes = std::array<std::size_t, 4>;

Tensor<3> read_states(std::istream& in, std::size_t q_len, std::size_t d_model) {
    Tensor<3> states({std::size_t{1}, q_len, d_model});
    read_elements(in, states.data(), states.size());
    return states;
}

}  // namespace

void write_step(std::ostream& out, const Step& step) {
    const Sizes sizes{step.tokens.size(), step.layers.size(), step.layers.front().x.shape(1), step.hidden.shape(2)};
    write_elements(out, sizes.data(), sizes.size());
    write_elements(out, step.tokens.data(), step.tokens.size());
    for (const LayerCall& call : step.layers) {
        write_elements(out, call.x.data(), call.x.size());
        write_elements(out, call.y.data(), call.y.size());
    }
    write_elements(out, step.hidden.data(), step.hidden.size());
}

std::optional<Step> read_step(std::istream& in) {
    if (in.peek() == std::istream::traits_type::eof()) {
        return std::nullopt;
    }
    Sizes sizes{};
    read_elements(in, sizes.data(), sizes.size());
    const auto [n_new, n_layers, q_len, d_model] = sizes;
    Step step;
    step.tokens.resize(n_new);
    read_elements(in, step.tokens.data(), n_new);
    for (std::size_t layer = 0; layer < n_layers; ++layer) {
        Tensor<3> x = read_states(in, q_len, d_model);
        step.layers.push_back({std::move(x), read_states(in, q_len, d_model)});
    }
    step.hidden = read_states(in, n_new, d_model);
    return step;
}

}  // namespace workbook::story
