/// @file
/// Counts what a piece of code allocates through operator new, which is where all tensors get their memory.
#pragma once

#include <cstddef>
#include <functional>

namespace workbook::grading {

/// Allocations of a call.
struct Allocations {
    std::size_t count = 0;        ///< calls of operator new
    std::size_t total_bytes = 0;  ///< bytes of all of them
    std::size_t peak_bytes = 0;   ///< most bytes alive at one time, beyond those alive before the call
};

/// Runs `call` and counts.
[[nodiscard]] Allocations count_allocations(const std::function<void()>& call);

}  // namespace workbook::grading
