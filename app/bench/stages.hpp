/// @file
/// The ways to attend that the parts of the workbook lead through.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/bench/cases.hpp"

namespace workbook::bench {

/// One way to attend.
struct Stage {
    std::string name;        ///< "one pass per group"
    std::size_t most_pairs;  ///< of queries and keys for each head; longer cases are left out
    int repetitions;         ///< how often it is measured
    bool is_learners;        ///< made of the steps that a learner writes, and so measured by --mine
    /// Prepares a run of the inputs, which may take a while and is not measured.
    /// @return the call, which appends to the cache and gives the outputs of the new tokens
    std::function<std::function<Tensor<4>(KVCache& cache)>(const Case& wanted, const Inputs& inputs)> prepare;
};

/// All stages, in the order of the workbook.
[[nodiscard]] const std::vector<Stage>& stages();

}  // namespace workbook::bench
