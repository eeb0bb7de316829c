// Who sees whom: every square is a weight that attend_head or attend_groups gave.
#include <fmt/format.h>

#include <array>
#include <numeric>

#include "docs/figures/figures.hpp"
#include "docs/figures/grid.hpp"
#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/model.hpp"

namespace workbook::figures {

namespace {

Matrix identity(std::size_t size) {
    Matrix result = xt::zeros<Scalar>({size, size});
    for (std::size_t i = 0; i < size; ++i) {
        result(i, i) = 1;
    }
    return result;
}

std::vector<std::string> numbers(std::size_t count) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(std::to_string(i));
    }
    return result;
}

std::string label(Position position) {
    return position == sees_nothing ? "pad" : std::to_string(position);
}

// With values that are the rows of an identity matrix, the output of a query is its weights.
Sight sight_of(std::span<const Position> positions, std::size_t kv_len) {
    const Matrix none = xt::zeros<Scalar>({positions.size(), kv_len});
    const Matrix keys = xt::zeros<Scalar>({kv_len, kv_len});
    const Matrix values = identity(kv_len);
    const Matrix out = attend_head(view_matrix(none), view_matrix(keys), view_matrix(values), positions);
    Sight sight{{}, numbers(kv_len), {}};
    for (std::size_t r = 0; r < positions.size(); ++r) {
        sight.queries.push_back(label(positions[r]));
        sight.weights.emplace_back(&out(r, 0), &out(r, 0) + kv_len);
    }
    return sight;
}

// The same from a model of the mistakes.
Sight sight_of(std::span<const Position> positions, std::size_t kv_len, const mistakes::Decisions& decisions) {
    Sight sight = sight_of(positions, kv_len);
    using mistakes::Array;
    Array<4> q({1, 1, positions.size(), kv_len});
    q.fill(0);
    mistakes::KeyRows rows{Array<4>({1, 1, kv_len, kv_len}), Array<4>({1, 1, kv_len, kv_len}), {kv_len}};
    rows.k.fill(0);
    rows.v.fill(0);
    for (std::size_t j = 0; j < kv_len; ++j) {
        rows.v(0, 0, j, j) = 1;
    }
    Positions of_row({1, positions.size()});
    std::ranges::copy(positions, of_row.begin());
    const Array<4> out = mistakes::attend(q, rows, of_row, decisions);
    for (std::size_t r = 0; r < positions.size(); ++r) {
        sight.weights[r].assign(&out(0, 0, r, 0), &out(0, 0, r, 0) + kv_len);
    }
    return sight;
}

struct Call {
    const char* title;
    std::size_t past, q_len;
};

constexpr std::array<Call, 3> three_calls{
    {{"prefill: L 0, T 6", 0, 6}, {"decode: L 5, T 1", 5, 1}, {"chunk: L 3, T 3", 3, 3}}};

Svg three_calls_figure() {
    Svg svg("three_calls", "The mask in prefill, decode and chunked prefill",
            "Three tables of queries, in rows, and keys 0 to 5, in columns. In prefill, queries 0 to 5 see a lower "
            "triangle. In decode, query 5 sees all six keys. In a chunk of three tokens on top of three, query 3 sees "
            "keys 0 to 3, query 4 sees 0 to 4, query 5 sees 0 to 5: the lower three rows of the same triangle.");
    Point at{0, 0};
    for (const auto& [title, past, q_len] : three_calls) {
        const Positions positions = call_positions({past}, q_len);
        at.x += draw(svg, at, title, sight_of(positions_of_row(positions, 0), past + q_len)).x + 10;
    }
    return svg;
}

Svg three_calls_wrong_figure() {
    Svg svg("three_calls_wrong", "A mask that is applied only when there are as many queries as keys",
            "The same three calls with a mask that is left out unless T equals S. Prefill and decode are right. In the "
            "chunk, query 3 sees keys 4 and 5 too, and query 4 sees key 5: three squares of the future, in orange.");
    mistakes::Decisions decisions;
    decisions.mask = mistakes::Mask::only_when_square;
    Point at{0, 0};
    for (const auto& [title, past, q_len] : three_calls) {
        const Positions positions = call_positions({past}, q_len);
        const auto of_row = positions_of_row(positions, 0);
        const Sight right = sight_of(of_row, past + q_len);
        const Sight wrong = sight_of(of_row, past + q_len, decisions);
        at.x += draw(svg, at, title, wrong, &right).x + 10;
    }
    return svg;
}

Svg ragged_figure() {
    Svg svg(
        "ragged", "A ragged call: rows that bring 3, 1 and 0 tokens in three slots",
        "Three tables, one for each row of the batch. Row 0 holds 1 token and brings 3: queries 1, 2 and 3 see keys "
        "0 up to themselves. Row 1 holds 4 and brings 1: query 4 sees keys 0 to 4, two padded slots see nothing. Row "
        "2 holds 2 and brings none: three padded slots see nothing.");
    const Lengths past{1, 4, 2};
    const Lengths n_new{3, 1, 0};
    const Positions positions = ragged_positions(past, n_new, 3);
    Point at{0, 0};
    for (std::size_t b = 0; b < past.size(); ++b) {
        const std::string title = fmt::format("row {}: L {}, n {}", b, past[b], n_new[b]);
        at.x += draw(svg, at, title, sight_of(positions_of_row(positions, b), past[b] + n_new[b])).x + 24;
    }
    return svg;
}

// The rows of view_heads on queries that hold their own number, and the weights of attend_groups.
Svg grouped_view_figure() {
    constexpr std::size_t n_heads = 4;
    constexpr std::size_t group_size = 2;
    constexpr std::size_t q_len = 3;
    Svg svg("grouped_view", "The queries of a group as one matrix, with their positions tiled",
            "Four query heads of three tokens each, two key/value heads. Heads 0 and 1 form the matrix of group 0, six "
            "rows: head 0 at positions 2, 3, 4, then head 1 at positions 2, 3, 4. Beside it, which keys each row sees. "
            "Heads 2 and 3 form group 1 in the same way.");
    Tensor<4> numbered({1, n_heads, q_len, 1});
    std::iota(numbered.begin(), numbered.end(), Scalar{0});
    const Positions positions = call_positions({2}, q_len);
    std::vector<Position> tiled;
    for (std::size_t i = 0; i < group_size * q_len; ++i) {
        tiled.push_back(positions(0, i % q_len));
    }
    Point at{0, 0};
    for (std::size_t g = 0; g < n_heads / group_size; ++g) {
        const ConstMatrix group = view_heads(numbered, 0, g * group_size, group_size);  // [G·T, 1]
        std::vector<std::vector<Labelled>> rows;
        for (std::size_t r = 0; r < group.shape(0); ++r) {
            const auto number = static_cast<std::size_t>(group(r, 0));
            const std::size_t h = number / q_len;
            rows.push_back({{fmt::format("h{}", h), colour(h)}, {fmt::format("t{}", number % q_len), colour(h)}});
        }
        const Point queries = draw(svg, at + Point{0, 12}, fmt::format("group {}", g), {}, rows, cell);
        const Sight sight = sight_of(tiled, 5);
        at.x += queries.x + 34;
        at.x += draw(svg, at, "sees keys", sight).x + 24;
    }
    return svg;
}

}  // namespace

std::vector<Svg> mask_figures() {
    return {three_calls_figure(), three_calls_wrong_figure(), ragged_figure(), grouped_view_figure()};
}

}  // namespace workbook::figures
