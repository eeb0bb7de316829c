// The fast code of the follow-up on streaming attention, for every instruction set that this processor has, and
// threads.
#include <cblas.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "follow_ups/streaming/fast/attend_fast.hpp"
#include "follow_ups/streaming/fast/in_parallel.hpp"
#include "follow_ups/streaming/fast/query_block.hpp"
#include "tests/support/inputs.hpp"

namespace workbook {
namespace {

using grading::random_tensor;

std::vector<InstructionSet> sets_of_this_processor() {
    std::vector<InstructionSet> sets;
    for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
        if (set <= widest_instruction_set()) {
            sets.push_back(set);
        }
    }
    return sets;
}

constexpr double tolerance = sizeof(Scalar) == sizeof(double) ? 1e-13 : 1e-5;

// A block's rows against a tile of keys and values, and what plain loops say of them.
void expect_right_tile(const VectorCode& code, std::size_t rows, std::size_t n_keys, std::size_t head_dim) {
    SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(n_keys) + " keys, d " + std::to_string(head_dim));
    const Matrix q = random_tensor<2>({rows, head_dim}, 1);
    const Matrix k = random_tensor<2>({n_keys, head_dim}, 2);
    const Matrix v = random_tensor<2>({n_keys, head_dim}, 3);
    std::vector<const Scalar*> queries;
    Matrix mixed({rows, head_dim});
    std::vector<Scalar*> outputs;
    for (std::size_t r = 0; r < rows; ++r) {
        queries.push_back(&q(r, 0));
        outputs.push_back(&mixed(r, 0));
    }
    QueryBlock block(head_dim, code);
    block.start(queries);
    block.score(k.data(), n_keys);
    const QueryBlock::PerRow highest = block.highest();
    const QueryBlock::PerRow sums = block.weigh(highest);
    block.mix(v.data());
    block.copy_to(outputs);
    for (std::size_t r = 0; r < rows; ++r) {
        std::vector<double> scores(n_keys);
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double dot = std::inner_product(&q(r, 0), &q(r, 0) + head_dim, &k(j, 0), 0.0);
            scores[j] = dot / std::sqrt(static_cast<double>(head_dim));
        }
        const double most = *std::max_element(scores.begin(), scores.end());
        ASSERT_NEAR(highest[r], most, tolerance * 10);
        double sum = 0;
        std::vector<double> row(head_dim);
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double weight = std::exp(scores[j] - most);
            ASSERT_NEAR(block.at(r, j), weight, tolerance * 10);
            sum += weight;
            for (std::size_t c = 0; c < head_dim; ++c) {
                row[c] += weight * static_cast<double>(v(j, c));
            }
        }
        ASSERT_NEAR(sums[r], sum, tolerance * 100);
        for (std::size_t c = 0; c < head_dim; ++c) {
            ASSERT_NEAR(mixed(r, c), row[c], tolerance * 100);
        }
    }
}

TEST(QueryBlock, IsRightWithEveryInstructionSet) {
    for (const InstructionSet set : sets_of_this_processor()) {
        SCOPED_TRACE("instruction set " + std::to_string(static_cast<int>(set)));
        for (const std::size_t rows : {1U, 2U, 3U, 4U, 7U, 8U, 9U, 31U, 32U}) {
            for (const std::size_t n_keys : {1U, 5U, 16U, 63U, 64U, 127U, 128U}) {
                for (const std::size_t head_dim : {1U, 3U, 16U, 40U, 128U}) {
                    expect_right_tile(vector_code(set), rows, n_keys, head_dim);
                }
            }
        }
    }
}

TEST(QueryBlock, GivesNoWeightToAScoreOfMinusInfinity) {
    for (const InstructionSet set : sets_of_this_processor()) {
        for (const std::size_t rows : {1U, 32U}) {
            const Matrix q = random_tensor<2>({1, 16}, 1);
            QueryBlock block(16, vector_code(set));
            block.start(std::vector<const Scalar*>(rows, q.data()));
            block.score(q.data(), 1);
            block.at(0, 0) = -std::numeric_limits<Scalar>::infinity();
            QueryBlock::PerRow shift{};
            shift.fill(std::numeric_limits<Scalar>::lowest());
            EXPECT_EQ(block.weigh(shift)[0], 0);
            EXPECT_EQ(block.at(0, 0), 0);
        }
    }
}

TEST(AttendFast, GivesTheSameBitsForAnyNumberOfThreads) {
    const Tensor<4> q = random_tensor<4>({2, 6, 40, 8}, 1);
    const Tensor<4> k = random_tensor<4>({2, 3, 200, 8}, 2);
    const Tensor<4> v = random_tensor<4>({2, 3, 200, 8}, 3);
    const Positions positions = xt::broadcast(xt::arange<Position>(160, 200), {2, 40});
    set_threads(1);
    const Tensor<4> alone = streaming::attend_fast(q, KeyValues(k, v), positions);
    for (const int threads : {2, 3, 8}) {
        set_threads(threads);
        EXPECT_EQ(streaming::attend_fast(q, KeyValues(k, v), positions), alone) << threads << " threads";
    }
}

#ifdef WORKBOOK_HAS_OPENMP
std::size_t threads_used() {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    in_parallel(8, [&](std::size_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // time for the others to begin
        const std::lock_guard<std::mutex> lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    return threads.size();
}

TEST(InParallel, UsesOneThreadOrSeveralAsIsSet) {
    set_threads(1);
    EXPECT_EQ(threads_used(), 1U);
    set_threads(4);
    EXPECT_GT(threads_used(), 1U);
}
#endif

TEST(InParallel, RefusesToUseNoThread) {
    EXPECT_THROW(set_threads(0), std::invalid_argument);
    EXPECT_THROW(set_threads(-1), std::invalid_argument);
}

TEST(InParallel, PassesOnWhatAJobThrows) {
    EXPECT_THROW(in_parallel(20,
                             [](std::size_t i) {
                                 if (i == 7) {
                                     throw std::runtime_error("seven");
                                 }
                             }),
                 std::runtime_error);
}

#ifdef WORKBOOK_HAS_OPENMP
TEST(InParallel, LeavesOneThreadToOpenBlasWhileJobsRun) {
    openblas_set_num_threads(2);
    const int before = openblas_get_num_threads();
    std::vector<int> during(4, 0);
    in_parallel(during.size(), [&](std::size_t i) { during[i] = openblas_get_num_threads(); });
    EXPECT_EQ(during, std::vector<int>(4, 1));
    EXPECT_EQ(openblas_get_num_threads(), before);
}
#endif

TEST(InParallel, RunsEveryJobOnce) {
    std::vector<int> runs(1000, 0);
    in_parallel(runs.size(), [&](std::size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

}  // namespace
}  // namespace workbook
