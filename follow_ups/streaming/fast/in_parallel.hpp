/// @file
/// Independent jobs on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace workbook {

/// Runs `job(0)` … `job(count - 1)`, in any order and side by side: on as many threads as OpenMP gives (OMP_NUM_THREADS
/// sets how many), or one after another where there is no OpenMP. A job must not write anything that another one reads
/// or writes. While jobs run side by side, OpenBLAS uses one thread for each product.
/// @throws what a job throws; the others may or may not have run by then
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& job);

/// How many threads in_parallel uses from now on. Nothing changes where there is no OpenMP.
/// @throws std::invalid_argument when count is less than 1
void set_threads(int count);

}  // namespace workbook
