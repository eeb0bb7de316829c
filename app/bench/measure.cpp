#include "app/bench/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "app/base/median.hpp"
#include "app/bench/stages.hpp"
#include "app/run/allocations.hpp"

namespace workbook::bench {

namespace {

using app::median;

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

// An answer that is no attention of the inputs, whatever time it took.
struct WrongAnswer : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The most that rounding explains: a sum of n terms, in whatever order, is off by about n roundings at the worst.
double rounding_error(const Case& wanted) {
    return static_cast<double>(wanted.kv_len()) * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

// The error of an answer that is right up to rounding.
double error_of_right(const Tensor<4>& out, const Case& wanted, Inputs& inputs) {
    if (out.shape() != inputs.q.shape()) {
        throw WrongAnswer(
            fmt::format("wrong: shape {}, expected {}", shape_text(out.shape()), shape_text(inputs.q.shape())));
    }
    const double error = inputs.error_of(out);
    if (!(error <= rounding_error(wanted))) {  // NaN too
        throw WrongAnswer(fmt::format("wrong: error {:.0e}, rounding explains {:.0e}", error, rounding_error(wanted)));
    }
    return error;
}

void measure(benchmark::State& state, const Case& wanted, const Stage& stage) {
    Inputs& inputs = inputs_of(wanted);
    const auto call = stage.prepare(wanted, inputs);
    Tensor<4> out;
    const grading::Allocations used = grading::count_allocations([&] { out = call(inputs.fresh()); });
    state.counters["allocated"] = static_cast<double>(used.total_bytes);
    state.counters["error"] = error_of_right(out, wanted, inputs);
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

// Leaves the case out of the times; its label says why.
void give_up(benchmark::State& state, std::string why) {
    std::ranges::replace(why, '\n', ' ');
    state.SetLabel(why);
    state.SkipWithError(why.c_str());
}

void measure_or_say_why_not(benchmark::State& state, const Case& wanted, const Stage& stage) {
    try {
        measure(state, wanted, stage);
    } catch (const NotImplemented& missing) {
        give_up(state, missing.what());
    } catch (const WrongAnswer& wrong) {
        give_up(state, wrong.what());
    } catch (const std::exception& error) {
        give_up(state, std::string("threw: ") + error.what());
    } catch (...) {
        give_up(state, "threw something that is not a std::exception");
    }
}

}  // namespace

void report_times(benchmark::State& state, const std::vector<double>& times) {
    state.counters["best"] = std::ranges::min(times);
    state.counters["median"] = median(times);
}

void register_cases(const Selection& selection, const Announce& announce) {
    for (const Case& wanted : cases()) {
        for (const Stage& stage : stages()) {
            const bool too_long = wanted.kv_len() * wanted.kv_len() > stage.most_pairs;
            if (too_long || (selection.steps && !stage.is_learners) || (selection.quick && !wanted.quick)) {
                continue;
            }
            const std::string name = wanted.name + "/" + stage.name;
            benchmark::RegisterBenchmark(name.c_str(),
                                         [&wanted, &stage, name, announce](benchmark::State& state) {
                                             announce(name);
                                             measure_or_say_why_not(state, wanted, stage);
                                         })
                ->UseManualTime()
                ->Iterations(selection.quick ? 5 : stage.repetitions);
        }
    }
}

}  // namespace workbook::bench
