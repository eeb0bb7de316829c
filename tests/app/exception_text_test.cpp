// What the libraries' exceptions mean, for exceptions that the libraries really throw.
#include "app/results/exception_text.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "part1_mha/tensor.hpp"

namespace workbook::grading {
namespace {

std::string text_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return explained(error);
    }
    return "nothing was thrown";
}

void expect_says(const std::string& text, const std::function<void()>& call) {
    const std::string said = text_of(call);
    EXPECT_NE(said.find(text), std::string::npos) << said;
}

TEST(ExplainedException, TellsToViewAReductionAsAColumn) {
    const Matrix scores = xt::ones<Scalar>({3, 4});
    const Tensor<1> highest = xt::ones<Scalar>({3});
    expect_says("Shapes [3, 4] and [3] meet in one expression", [&] { const Matrix shifted = scores - highest; });
    expect_says("xt::view(r, xt::all(), xt::newaxis())", [&] { const Matrix shifted = scores - highest; });
}

TEST(ExplainedException, NamesTheShapesThatDoNotFit) {
    const Matrix a = xt::ones<Scalar>({3, 4});
    const Matrix b = xt::ones<Scalar>({4, 3});
    expect_says("Shapes [3, 4] and [4, 3] meet in one expression", [&] { const Matrix sum = a + b; });
}

TEST(ExplainedException, NamesTheIndexThatIsOutOfRange) {
    const Matrix a = xt::ones<Scalar>({3, 4});
    volatile Scalar element = 0;
    expect_says("index 3 on axis 0, which has 3 elements", [&] { element = a(3, 0); });
}

TEST(ExplainedException, SpeaksOfPermutationsAndReshapes) {
    Matrix a = xt::ones<Scalar>({3, 4});
    expect_says("name every axis", [&] { const Matrix turned = xt::transpose(a, {0, 2}); });
    expect_says("a different number of elements", [&] { a.reshape({5, 2}); });
}

TEST(ExplainedException, SpeaksOfVectors) {
    std::vector<int> vector(3);
    expect_says("beyond the end of a std::vector", [&] { vector.at(5) = 1; });
    expect_says("went below 0", [&] { vector.resize(vector.size() - 4); });
}

TEST(ExplainedException, ComesFromALibraryOrNot) {
    const auto comes_from_library_in = [](const std::function<void()>& call) {
        try {
            call();
        } catch (const std::exception& error) {
            return comes_from_library(error);
        }
        return false;
    };
    Matrix a = xt::ones<Scalar>({3, 4});
    std::vector<int> vector(3);
    EXPECT_TRUE(comes_from_library_in([&] { a(3, 0) = 1; }));
    EXPECT_TRUE(comes_from_library_in([&] { a.reshape({5, 2}); }));
    EXPECT_TRUE(comes_from_library_in([&] { vector.at(5) = 1; }));
    EXPECT_FALSE(comes_from_library_in([] { throw std::out_of_range("append: row 0 is full"); }));
}

TEST(ExplainedException, LeavesOtherMessagesAsTheyAre) {
    EXPECT_EQ(explained(std::runtime_error("append: no")), "append: no");
}

}  // namespace
}  // namespace workbook::grading
