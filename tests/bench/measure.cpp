#include "measure.hpp"

#include <algorithm>

#include "allocations.hpp"
#include "stages.hpp"

namespace workbook::bench {

namespace {

double median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

// Calls, each with the floor measured just before it.
struct Pairs {
    std::vector<double> calls, floors, ratios;

    void add(double call, double floor) {
        calls.push_back(call);
        floors.push_back(floor);
        ratios.push_back(call / floor);
    }
};

void report(benchmark::State& state, const Case& wanted, const Pairs& pairs) {
    report_times(state, pairs.calls);
    state.counters["floor_best"] = std::ranges::min(pairs.floors);
    state.counters["floor_median"] = median(pairs.floors);
    state.counters["ratio"] = median(pairs.ratios);
    state.counters["bytes"] = wanted.bytes();
    state.counters["flops"] = wanted.flops();
}

void measure(benchmark::State& state, const Case& wanted, const Stage& stage) {
    Inputs& inputs = inputs_of(wanted);
    const auto call = stage.prepare(wanted, inputs);
    Tensor<4> out;
    const grading::Allocations used = grading::count_allocations([&] { out = call(inputs.fresh()); });
    state.counters["allocated"] = static_cast<double>(used.total_bytes);
    state.counters["error"] = inputs.error_of(out);
    Pairs pairs;
    for ([[maybe_unused]] const auto repetition : state) {
        KVCache& cache = inputs.next();
        const double floor = inputs.floor_seconds();
        const double seconds = seconds_of([&] { benchmark::DoNotOptimize(call(cache)); });
        state.SetIterationTime(seconds);
        pairs.add(seconds, floor);
    }
    report(state, wanted, pairs);
}

void measure_or_say_why_not(benchmark::State& state, const Case& wanted, const Stage& stage) {
    try {
        measure(state, wanted, stage);
    } catch (const NotImplemented& missing) {
        state.SetLabel(missing.what());
        state.SkipWithError(missing.what());
    }
}

}  // namespace

void report_times(benchmark::State& state, const std::vector<double>& times) {
    state.counters["best"] = std::ranges::min(times);
    state.counters["median"] = median(times);
}

void register_cases(const Selection& selection) {
    for (const Case& wanted : cases()) {
        for (const Stage& stage : stages()) {
            const bool too_long = wanted.kv_len() * wanted.kv_len() > stage.most_pairs;
            if (too_long || (selection.steps && !stage.is_learners) || (selection.quick && !wanted.quick)) {
                continue;
            }
            benchmark::RegisterBenchmark((wanted.name + "/" + stage.name).c_str(), measure_or_say_why_not,
                                         std::cref(wanted), std::cref(stage))
                ->UseManualTime()
                ->Iterations(selection.quick ? 5 : stage.repetitions);
        }
    }
}

}  // namespace workbook::bench
