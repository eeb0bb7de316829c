// Compiles and runs every line of C++ in docs/numpy-to-xtensor.md.
//
// A pair of equal comment lines, such as the two in the first test, marks a region; the page shows exactly the lines
// between them. The last tests read both files and say where they differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <xtensor-blas/xlinalg.hpp>

#include "part1_mha/tensor.hpp"

namespace workbook {
namespace {

constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

// 0, 1, 2, … in the given shape.
template <std::size_t N>
Tensor<N> counting(const std::array<std::size_t, N>& shape) {
    Tensor<N> x(shape);
    Scalar next = 0;
    for (Scalar& element : x) {
        element = next++;
    }
    return x;
}

template <class Expression>
std::vector<std::size_t> shape_of(const Expression& expression) {
    return {expression.shape().begin(), expression.shape().end()};
}

using Shape = std::vector<std::size_t>;

template <class Error, class Call>
bool throws(const Call& call) {
    try {
        call();
    } catch (const Error&) {
        return true;
    }
    return false;
}

// The operations

TEST(NumpyToXtensor, MakesZerosOfAShape) {
    // [zeros]
    Matrix a = xt::zeros<Scalar>({2, 3});
    Tensor<4> out({2, 6, 5, 3});  // np.empty: not initialised
    // [zeros]
    EXPECT_EQ(a, (Matrix{{0, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(shape_of(out), (Shape{2, 6, 5, 3}));
}

TEST(NumpyToXtensor, ReadsAndWritesAnElement) {
    Tensor<3> x = counting<3>({2, 3, 4});
    // [element]
    Scalar value = x(1, 2, 3);
    x(1, 2, 3) = 7;
    std::size_t rows = x.shape(1);
    // [element]
    EXPECT_EQ(value, 23);
    EXPECT_EQ(x(1, 2, 3), 7);
    EXPECT_EQ(rows, 3U);
}

TEST(NumpyToXtensor, Reshapes) {
    Matrix x = counting<2>({6, 4});
    // [reshape]
    Tensor<3> y = xt::reshape_view(x, {2, 3, 4});  // a new tensor
    x.reshape({3, 8});                             // in place; the order of the elements stays
    // [reshape]
    EXPECT_EQ(y, counting<3>({2, 3, 4}));
    EXPECT_EQ(x, counting<2>({3, 8}));
}

TEST(NumpyToXtensor, TransposesWithAPermutation) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    // [transpose]
    Tensor<3> y = xt::transpose(x, {1, 0, 2});  // y(j, i, k) is x(i, j, k)
    // [transpose]
    EXPECT_EQ(shape_of(y), (Shape{3, 2, 4}));
    EXPECT_EQ(y(2, 1, 3), x(1, 2, 3));
}

TEST(NumpyToXtensor, SlicesOneHead) {
    const Tensor<4> a = counting<4>({2, 3, 4, 5});
    const std::size_t b = 1;
    const std::size_t h = 2;
    // [one-head]
    Matrix head = xt::view(a, b, h);         // a copy
    ConstMatrix same = view_heads(a, b, h);  // the workbook's own: no copy, read only
    // [one-head]
    EXPECT_EQ(shape_of(head), (Shape{4, 5}));
    EXPECT_EQ(head(3, 4), a(1, 2, 3, 4));
    EXPECT_EQ(head, same);
    EXPECT_EQ(same.data(), &a(1, 2, 0, 0));
}

TEST(NumpyToXtensor, SlicesARange) {
    const Tensor<3> x = counting<3>({2, 6, 4});
    const std::size_t begin = 2;
    const std::size_t end = 5;
    // [range]
    Tensor<3> tokens = xt::view(x, xt::all(), xt::range(begin, end));  // axes left out are taken whole
    // [range]
    EXPECT_EQ(shape_of(tokens), (Shape{2, 3, 4}));
    EXPECT_EQ(tokens(1, 2, 3), x(1, 4, 3));
}

TEST(NumpyToXtensor, AssignsIntoASlice) {
    Matrix a = xt::zeros<Scalar>({3, 4});
    const Matrix rows = xt::ones<Scalar>({2, 4});
    // [assign]
    xt::view(a, xt::range(1, 3), xt::all()) = rows;
    xt::view(a, 0, xt::range(2, 4)) = 5;
    // [assign]
    EXPECT_EQ(a, (Matrix{{0, 0, 5, 5}, {1, 1, 1, 1}, {1, 1, 1, 1}}));
}

TEST(NumpyToXtensor, BroadcastsOneNumberPerRow) {
    const Matrix x{{1, 2, 3}, {4, 5, 6}};
    const Tensor<1> r{10, 20};
    // [newaxis]
    Matrix y = x + xt::view(r, xt::all(), xt::newaxis());  // [R, S] + [R, 1]
    // [newaxis]
    EXPECT_EQ(y, (Matrix{{11, 12, 13}, {24, 25, 26}}));
}

TEST(NumpyToXtensor, ReducesAlongAnAxis) {
    const Matrix x{{1, 5, 3}, {4, 2, 6}};
    // [reduce]
    Tensor<1> highest = xt::amax(x, {1});  // [R]
    Tensor<1> total = xt::sum(x, {1});     // [R]
    Scalar all = xt::sum(x)();             // one number: mind the ()
    // [reduce]
    EXPECT_EQ(highest, (Tensor<1>{5, 6}));
    EXPECT_EQ(total, (Tensor<1>{9, 12}));
    EXPECT_EQ(all, 21);
}

TEST(NumpyToXtensor, TakesTheExponential) {
    const Matrix x{{0, 1}, {-infinity, -1}};
    // [exp]
    Matrix y = xt::exp(x);
    // [exp]
    EXPECT_TRUE(xt::allclose(y, Matrix{{1, std::exp(Scalar{1})}, {0, std::exp(Scalar{-1})}}));
    EXPECT_EQ(y(1, 0), 0);
}

TEST(NumpyToXtensor, ChoosesElementByElement) {
    const Tensor<1> x{3, -infinity, infinity};
    // [where]
    Tensor<1> y = xt::where(xt::isfinite(x), x, Scalar{0});
    // [where]
    EXPECT_EQ(y, (Tensor<1>{3, 0, 0}));
}

TEST(NumpyToXtensor, MultipliesMatrices) {
    const Matrix a{{1, 2}, {3, 4}};
    const Matrix b{{0, 1}, {2, 1}};
    const Tensor<3> x{{{1, 2}, {3, 4}}};
    const Matrix w{{1}, {10}};
    // [matmul]
    Matrix ab = matmul(a, b);
    Matrix abt = matmul_transposed(a, b);
    Tensor<3> xw = linear(x, w);  // x [B, T, k], w [k, n]
    // [matmul]
    EXPECT_EQ(ab, (Matrix{{4, 3}, {8, 7}}));
    EXPECT_EQ(abt, (Matrix{{2, 4}, {4, 10}}));
    EXPECT_EQ(xw, (Tensor<3>{{{21}, {43}}}));
}

TEST(NumpyToXtensor, CountsUp) {
    // [arange]
    Tensor<1> x = xt::arange<Scalar>(2, 5);  // 2, 3, 4
    // [arange]
    EXPECT_EQ(x, (Tensor<1>{2, 3, 4}));
}

TEST(NumpyToXtensor, BroadcastsToAShape) {
    const Tensor<1> r{7, 8, 9};
    // [broadcast]
    Matrix y = xt::broadcast(r, {2, 3});
    // [broadcast]
    EXPECT_EQ(y, (Matrix{{7, 8, 9}, {7, 8, 9}}));
}

TEST(NumpyToXtensor, ComparesWithATolerance) {
    const Matrix a{{1, 2}};
    const Matrix b{{1 + 10 * std::numeric_limits<Scalar>::epsilon(), 2}};
    const Matrix c{{1, 2}, {1, 2}};
    const Scalar tolerance = std::sqrt(std::numeric_limits<Scalar>::epsilon());
    // [allclose]
    bool close = a.shape() == b.shape() && xt::allclose(a, b, tolerance, tolerance);
    // [allclose]
    EXPECT_TRUE(close);
    EXPECT_TRUE(xt::allclose(a, c));  // broadcasts, so the shapes have to be compared first
    EXPECT_FALSE(xt::allclose(a, Matrix{{1, std::numeric_limits<Scalar>::quiet_NaN()}}));
}

// The traps. What reads or writes outside a tensor is compiled, but never called.

[[maybe_unused]] Matrix exponentials_read_out_of_bounds(const Matrix& scores) {
    // [lazy-reduction-wrong]
    Matrix weights = xt::exp(scores - xt::amax(scores, {1}, xt::keep_dims));
    // [lazy-reduction-wrong]
    return weights;
}

TEST(NumpyToXtensorTraps, AReductionIsNamedBeforeItIsUsed) {
    const Matrix scores{{1, 2}, {30, 4}};
    // [lazy-reduction]
    Tensor<1> highest = xt::amax(scores, {1});
    Matrix shifted = scores - xt::view(highest, xt::all(), xt::newaxis());
    // [lazy-reduction]
    EXPECT_EQ(shifted, (Matrix{{-1, 0}, {0, -26}}));
    // [lazy-reduction-keep-dims]
    Matrix column = xt::amax(scores, {1}, xt::keep_dims);  // [R, 1]
    Matrix also_shifted = scores - column;
    // [lazy-reduction-keep-dims]
    EXPECT_EQ(also_shifted, shifted);
}

[[maybe_unused]] void write_past_the_end(Matrix& buffer, const Matrix& two_rows) {
    // [clamped-range-wrong]
    xt::view(buffer, xt::range(7, 9), xt::all()) = two_rows;
    // [clamped-range-wrong]
}

TEST(NumpyToXtensorTraps, ARangePastTheEndIsClamped) {
    Matrix buffer = xt::zeros<Scalar>({8, 2});
    const auto view = xt::view(buffer, xt::range(6, 10), xt::all());
    EXPECT_EQ(view.shape(0), 2U);

    const Matrix two_rows = xt::ones<Scalar>({2, 2});
    const auto write_at = [&](std::size_t begin) {
        // [clamped-range]
        const std::size_t end = begin + two_rows.shape(0);
        if (end > buffer.shape(0)) {
            throw std::length_error("the rows do not fit");
        }
        xt::view(buffer, xt::range(begin, end), xt::all()) = two_rows;
        // [clamped-range]
    };
    EXPECT_TRUE(throws<std::length_error>([&] { write_at(7); }));
    EXPECT_FALSE(throws<std::length_error>([&] { write_at(6); }));
}

TEST(NumpyToXtensorTraps, AssignmentToAViewBroadcasts) {
    Matrix buffer = xt::zeros<Scalar>({3, 2});
    const Matrix rows{{1, 2}};
    // [broadcasting-assignment-wrong]
    xt::view(buffer, xt::range(0, 3), xt::all()) = rows;
    // [broadcasting-assignment-wrong]
    EXPECT_EQ(buffer, (Matrix{{1, 2}, {1, 2}, {1, 2}}));

    const auto write = [&] {
        // [broadcasting-assignment]
        expect_shape("write", "rows", rows.shape(), {3, 2});
        xt::view(buffer, xt::range(0, 3), xt::all()) = rows;
        // [broadcasting-assignment]
    };
    EXPECT_TRUE(throws<std::invalid_argument>(write));
}

TEST(NumpyToXtensorTraps, TransposeWithoutAPermutationReversesAllAxes) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    const auto reversed = [&] {
        // [transpose-all-wrong]
        Tensor<3> y = xt::transpose(x);
        // [transpose-all-wrong]
        return y;
    };
    // [transpose-all]
    Tensor<3> y = xt::transpose(x, {0, 2, 1});
    // [transpose-all]
    EXPECT_EQ(shape_of(reversed()), (Shape{4, 3, 2}));
    EXPECT_EQ(shape_of(y), (Shape{2, 4, 3}));
}

TEST(NumpyToXtensorTraps, AutoKeepsAView) {
    Matrix buffer = xt::zeros<Scalar>({2, 2});
    const auto old_row = [&] {
        // [auto-view-wrong]
        auto before = xt::view(buffer, 0);
        buffer(0, 0) = 7;
        // [auto-view-wrong]
        return before(0);
    };
    EXPECT_EQ(old_row(), 7);

    buffer.fill(0);
    // [auto-view]
    Tensor<1> before = xt::view(buffer, 0);
    buffer(0, 0) = 7;
    // [auto-view]
    EXPECT_EQ(before(0), 0);
}

namespace wrong {
[[maybe_unused]]
// [auto-return-wrong]
auto doubled(const Matrix& x) {
    const Matrix twice = x + x;
    return xt::transpose(twice);
}
// [auto-return-wrong]
}  // namespace wrong

// [auto-return]
Matrix doubled(const Matrix& x) {
    const Matrix twice = x + x;
    return xt::transpose(twice);
}
// [auto-return]

TEST(NumpyToXtensorTraps, AFunctionReturnsATensorAndNotAuto) {
    EXPECT_EQ(doubled({{1, 2}, {3, 4}}), (Matrix{{2, 6}, {4, 8}}));
}

TEST(NumpyToXtensorTraps, MissingIndicesAreTakenFromTheLeft) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    // [too-few-indices-wrong]
    Scalar value = x(1, 2);
    // [too-few-indices-wrong]
    EXPECT_EQ(value, x(0, 1, 2));
    // [too-few-indices]
    Scalar first = x(1, 2, 0);
    Tensor<1> row = xt::view(x, 1, 2);
    // [too-few-indices]
    EXPECT_EQ(first, 20);
    EXPECT_EQ(row, (Tensor<1>{20, 21, 22, 23}));
}

TEST(NumpyToXtensorTraps, DotAboveTwoAxesIsNotBatched) {
    const Tensor<3> x = counting<3>({2, 3, 4});
    const Tensor<3> y = counting<3>({2, 4, 5});
    const auto shape_of_dot = [&] {
        // [batched-dot-wrong]
        Tensor<4> products = xt::linalg::dot(x, y);
        // [batched-dot-wrong]
        return shape_of(products);
    };
    EXPECT_EQ(shape_of_dot(), (Shape{2, 3, 2, 5}));
    // [batched-dot]
    Tensor<3> products({x.shape(0), x.shape(1), y.shape(2)});
    for (std::size_t b = 0; b < x.shape(0); ++b) {
        const Matrix left = xt::view(x, b);
        const Matrix right = xt::view(y, b);
        xt::view(products, b) = matmul(left, right);
    }
    // [batched-dot]
    EXPECT_EQ(products(1, 2, 4), 20 * 24 + 21 * 29 + 22 * 34 + 23 * 39);
}

TEST(NumpyToXtensorTraps, BracesMeanAShapeOrData) {
    // [braces-wrong]
    xt::xarray<double> a({2, 3});  // the elements 2 and 3
    Tensor<1> b({3});              // one element, 3
    // [braces-wrong]
    EXPECT_EQ(a, (xt::xarray<double>{2, 3}));
    EXPECT_EQ(b, (Tensor<1>{3}));
    // [braces]
    xt::xtensor<double, 2> c({2, 3});      // shape [2, 3]
    Tensor<1> d = xt::zeros<Scalar>({3});  // shape [3]
    // [braces]
    EXPECT_EQ(shape_of(c), (Shape{2, 3}));
    EXPECT_EQ(shape_of(d), (Shape{3}));
}

TEST(NumpyToXtensorTraps, ANamedRangeIsNotConst) {
    const Matrix x = counting<2>({4, 2});
    // [named-range]
    auto rows = xt::range(1, 3);
    Matrix middle = xt::view(x, rows, xt::all());
    // [named-range]
    EXPECT_EQ(middle, (Matrix{{2, 3}, {4, 5}}));
}

// [copying-parameter-wrong]
const Scalar* first_element(const Matrix& x) {
    return x.data();
}
// [copying-parameter-wrong]

// [copying-parameter]
const Scalar* first_element_in_place(const ConstMatrix& x) {
    return x.data();
}
// [copying-parameter]

TEST(NumpyToXtensorTraps, AMatrixParameterCopiesAView) {
    const Matrix x = counting<2>({4, 2});
    EXPECT_EQ(first_element(x), x.data());
    EXPECT_NE(first_element(view_matrix(x)), x.data());
    EXPECT_NE(first_element(xt::view(x, xt::range(0, 2))), x.data());
    EXPECT_EQ(first_element_in_place(view_matrix(x)), x.data());
}

TEST(NumpyToXtensorTraps, AReductionAlignsWithTheLastAxis) {
    const Matrix x{{1, 2}, {30, 4}};
    const Tensor<1> highest = xt::amax(x, {1});
    const auto misaligned = [&] {
        // [aligned-reduction-wrong]
        Matrix shifted = x - highest;
        // [aligned-reduction-wrong]
        return shifted;
    };
    EXPECT_EQ(misaligned(), (Matrix{{-1, -28}, {28, -26}}));
    // [aligned-reduction]
    Matrix shifted = x - xt::view(highest, xt::all(), xt::newaxis());
    // [aligned-reduction]
    EXPECT_EQ(shifted, (Matrix{{-1, 0}, {0, -26}}));
}

TEST(NumpyToXtensorTraps, ViewAssignmentMakesATemporaryUnlessNoalias) {
    Matrix buffer = xt::zeros<Scalar>({4, 2});
    const Matrix rows = xt::ones<Scalar>({2, 2});
    // [temporary-wrong]
    xt::view(buffer, xt::range(0, 2), xt::all()) = rows;
    // [temporary-wrong]
    // [temporary]
    xt::noalias(xt::view(buffer, xt::range(2, 4), xt::all())) = rows;
    // [temporary]
    EXPECT_EQ(buffer, (xt::ones<Scalar>({4, 2})));

    Tensor<1> shifted{1, 2, 3, 4};
    xt::view(shifted, xt::range(1, 4)) = xt::view(shifted, xt::range(0, 3));
    EXPECT_EQ(shifted, (Tensor<1>{1, 1, 2, 3}));
}

// The page shows what is compiled here

using Lines = std::vector<std::string>;

Lines lines_of(std::istream& text) {
    Lines lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

Lines lines_of_file(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file.good()) << "cannot read " << path;
    return lines_of(file);
}

Lines lines_of_text(const std::string& text) {
    std::istringstream stream(text);
    return lines_of(stream);
}

// The id in a line that consists of an indent, `before`, the id and `after`.
std::optional<std::string> id_in(const std::string& line, const std::string& before, const std::string& after) {
    const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (!text.starts_with(before) || !text.ends_with(after) || text.size() <= before.size() + after.size()) {
        return std::nullopt;
    }
    const std::string id = text.substr(before.size(), text.size() - before.size() - after.size());
    const bool is_id = id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
    return is_id ? std::optional<std::string>(id) : std::nullopt;
}

// Takes the indent of the first line away from every line.
Lines dedented(Lines lines) {
    const std::size_t indent = lines.empty() ? 0 : std::min(lines[0].find_first_not_of(' '), lines[0].size());
    for (std::string& line : lines) {
        line.erase(0, std::min(indent, line.size()));
    }
    return lines;
}

// The marked regions of a source file, dedented, by id.
std::map<std::string, Lines> regions_of(const Lines& source) {
    std::map<std::string, Lines> regions;
    std::optional<std::string> open;
    for (const std::string& line : source) {
        const std::optional<std::string> marker = id_in(line, "// [", "]");
        if (marker) {
            const bool pairs_up = open ? open == marker : !regions.contains(*marker);
            EXPECT_TRUE(pairs_up) << "marker [" << *marker << "] is nested, unpaired or used twice";
            open = open ? std::nullopt : marker;
        } else if (open) {
            regions[*open].push_back(line);
        }
    }
    for (auto& [id, lines] : regions) {
        lines = dedented(lines);
    }
    return regions;
}

// What a page gets wrong about the regions it should show: one line of text for each fault.
Lines faults_of(const Lines& page, const std::map<std::string, Lines>& regions) {
    Lines faults;
    std::set<std::string> shown;
    for (std::size_t i = 0; i < page.size(); ++i) {
        if (page[i] != "```cpp") {
            continue;
        }
        const std::string where = "line " + std::to_string(i + 1);
        const auto id = i == 0 ? std::nullopt : id_in(page[i - 1], "<!-- snippet: ", " -->");
        Lines snippet;
        while (++i < page.size() && page[i] != "```") {
            snippet.push_back(page[i]);
        }
        if (!id || !regions.contains(*id)) {
            faults.push_back(where + ": code of no region");
        } else if (snippet != regions.at(*id)) {
            faults.push_back(where + ": differs from region [" + *id + "]");
        }
        shown.insert(id.value_or(""));
    }
    for (const auto& [id, lines] : regions) {
        if (!shown.contains(id)) {
            faults.push_back("region [" + id + "] is not shown");
        }
    }
    return faults;
}

TEST(NumpyToXtensorPage, ShowsExactlyWhatIsCompiledHere) {
    const std::string root = WORKBOOK_SOURCE_DIR;
    const auto regions = regions_of(lines_of_file(root + "/tests/site/numpy_to_xtensor_test.cpp"));
    EXPECT_GT(regions.size(), 15U);
    EXPECT_EQ(faults_of(lines_of_file(root + "/docs/numpy-to-xtensor.md"), regions), Lines{});
}

TEST(NumpyToXtensorPage, IsAtFaultWhenASnippetDiffers) {
    const Lines page = lines_of_text("<!-- snippet: a -->\n```cpp\nx = 1;\n```\n");
    EXPECT_EQ(faults_of(page, {{"a", {"x = 1;"}}}), Lines{});
    EXPECT_EQ(faults_of(page, {{"a", {"x = 2;"}}}), Lines{"line 2: differs from region [a]"});
}

TEST(NumpyToXtensorPage, IsAtFaultWhenCodeHasNoRegion) {
    EXPECT_EQ(faults_of(lines_of_text("```cpp\nx = 1;\n```\n"), {}), Lines{"line 1: code of no region"});
}

TEST(NumpyToXtensorPage, IsAtFaultWhenARegionIsNotShown) {
    EXPECT_EQ(faults_of({}, {{"a", {"x = 1;"}}}), Lines{"region [a] is not shown"});
}

}  // namespace
}  // namespace workbook
