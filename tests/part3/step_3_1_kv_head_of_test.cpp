// Step 3.1: kv_head_of.
#include "part1_mha/attention.hpp"
#include "reference/mistakes/models/model.hpp"
#include "tests/support/answer.hpp"
#include "tests/support/harness/graded.hpp"

namespace workbook::grading {
namespace {

using Heads = std::vector<std::size_t>;

std::string heads_text(const Values& heads) {
    std::string text;
    for (const double head : heads.elements) {
        text += " " + std::to_string(static_cast<std::size_t>(head));
    }
    return text;
}

// The key/value heads that query heads 0, 1, … read.
void expect_heads_read(const Heads& expected, std::size_t n_kv_heads) {
    const std::size_t n_heads = expected.size();
    const auto read_by = [&](const auto& map) {
        Values read{{n_heads}, {}};
        for (std::size_t h = 0; h < n_heads; ++h) {
            read.elements.push_back(static_cast<double>(map(h)));
        }
        return read;
    };
    const Values right = read_by([&](std::size_t h) { return expected[h]; });
    const Values actual = read_by([&](std::size_t h) { return kv_head_of(h, n_heads, n_kv_heads); });
    const bool is_right = actual.elements == right.elements;
    weigh(is_right, actual, right, [&](const mistakes::Decisions& decisions) {
        return read_by([&](std::size_t h) { return mistakes::kv_head_of(h, n_heads, n_kv_heads, decisions); });
    });
    if (!is_right) {
        ADD_FAILURE() << n_heads << " query heads share " << n_kv_heads << "; they read heads\n  expected"
                      << heads_text(right) << "\n  got     " << heads_text(actual);
    }
}

// G neighbours at a time read head 0, 1, …
Heads groups(std::size_t n_heads, std::size_t n_kv_heads) {
    Heads heads;
    for (std::size_t g = 0; g < n_kv_heads; ++g) {
        heads.insert(heads.end(), n_heads / n_kv_heads, g);
    }
    return heads;
}

GRADED_TEST(KvHeadOf, LetsNeighboursShareAHead, "3.1", hire, 5) {
    expect_heads_read({0, 0, 1, 1, 2, 2}, 3);
    expect_heads_read({0, 0, 0, 0, 1, 1, 1, 1}, 2);
    expect_heads_read({0, 0, 0, 1, 1, 1}, 2);
    // Every count of heads up to 96 and every divisor: quotients of floating-point numbers fall just below some of
    // these.
    for (std::size_t n_heads = 1; n_heads <= 96; ++n_heads) {
        for (std::size_t n_kv_heads = 1; n_kv_heads <= n_heads; ++n_kv_heads) {
            if (n_heads % n_kv_heads == 0 && !::testing::Test::HasFailure()) {
                expect_heads_read(groups(n_heads, n_kv_heads), n_kv_heads);
            }
        }
    }
    for (const std::size_t n_kv_heads : {1U, 5U, 344U, 1032U}) {
        expect_heads_read(groups(1032, n_kv_heads), n_kv_heads);
    }
    EXPECT_EQ(kv_head_of(31, 32, 8), 7U);
    EXPECT_EQ(kv_head_of(40, 64, 8), 5U);
    EXPECT_EQ(kv_head_of(49, 98, 2), 1U);  // a quotient of floating-point numbers falls just below 1 here
}

GRADED_TEST(KvHeadOf, GivesEveryHeadItsOwnInMultiHeadAttention, "3.1", hire, 2) {
    expect_heads_read({0, 1, 2, 3, 4}, 5);
}

GRADED_TEST(KvHeadOf, GivesAllHeadsTheSameInMultiQueryAttention, "3.1", hire, 2) {
    expect_heads_read({0, 0, 0, 0, 0}, 1);
}

}  // namespace
}  // namespace workbook::grading
