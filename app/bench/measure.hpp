/// @file
/// What is measured, as benchmarks of Google Benchmark. A name is "group/row"; numbers are in the counters.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

#include "app/bench/watched.hpp"

namespace workbook::bench {

/// What is asked for.
struct Selection {
    bool quick = false;  ///< a few cases, in less than 20 seconds
    bool steps = false;  ///< only what is made of the steps that a learner writes
};

/// Sets the counters best and median, in seconds.
void report_times(benchmark::State& state, const std::vector<double>& times);

/// Registers each case with each stage. Counters in seconds: best, median, floor_best, floor_median; ratio, the median
/// of a call's time by that of the floor measured just before it; bytes and flops of the call; allocated bytes; error.
/// A case that throws, or of which the answer is wrong, has a label that says so instead.
/// @param announce  called with the name of each case before it is measured
void register_cases(const Selection& selection, const Announce& announce);

/// Registers the bytes of a cache and of concatenation, counted and by formula.
void register_bytes();

/// Registers how costs grow with lengths and capacities, and a whole layer with its projections. The counter "at" is
/// the length or the capacity.
void register_growth();

}  // namespace workbook::bench
