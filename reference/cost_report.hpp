/// @file
/// All figures of one case: a model, the work it has to do, and the machine that does it. ./workbook cost prints them,
/// and the calculator on the site has to show the same ones.
#pragma once

#include "reference/cost_model.hpp"

namespace workbook::reference {

/// The work to do.
struct Load {
    Count batch = 1;    ///< rows
    Count context = 0;  ///< tokens of each row's prompt
    Count n_new = 0;    ///< tokens that each row generates on top
};

/// The machine it runs on, by its peaks, so that times are the least possible.
struct Machine {
    double bytes_per_second = 0;
    double flops_per_second = 0;
    Count memory_bytes = 0;
};

/// One forward call of the whole model.
struct Call {
    Count flops = 0;
    Count bytes = 0;                ///< the least that are moved
    double memory_seconds = 0;      ///< to move the bytes
    double arithmetic_seconds = 0;  ///< to do the operations

    /// The least time, if moving and calculating overlap fully.
    [[nodiscard]] double seconds() const;
    [[nodiscard]] bool bound_by_memory() const;
};

/// The figures.
struct CostReport {
    Count tokens = 0;              ///< of each row at the end: context + n_new
    Count kv_bytes_per_token = 0;  ///< one token, all layers
    Count row_bytes = 0;           ///< the cache of one row at the end
    Count reserved_bytes = 0;      ///< the cache of all rows at the end
    Count expanded_bytes = 0;      ///< the same if keys and values were repeated to all query heads
    Count weight_bytes = 0;
    Count total_bytes = 0;  ///< weights and reservation
    Count largest_batch = 0;
    Call prefill;                       ///< the prompts of all rows; nothing without a context
    Call decode;                        ///< the last token of every row, on top of a cache of all tokens before it
    Call recompute;                     ///< the last token of every row without a cache: all its tokens again
    Count projected_with_cache = 0;     ///< tokens projected in all rows for n_new new ones, after the prompt
    Count projected_without_cache = 0;  ///< the same if every step starts over
    Count copied_by_concatenation = 0;  ///< bytes copied in all rows if each of n_new steps makes a longer cache
    double decode_flops_per_cache_byte = 0;
};

/// @throws std::invalid_argument that names what is wrong with the model, the load or the machine
/// @throws std::overflow_error when a figure passes 2⁶⁴ - 1
[[nodiscard]] CostReport cost_report(const ModelShape& model, const Load& load, const Machine& machine);

}  // namespace workbook::reference
