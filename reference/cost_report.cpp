#include "reference/cost_report.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reference/checked.hpp"

namespace workbook::reference {

namespace {

void expect_load(const Load& load) {
    if (load.batch == 0) {
        throw std::invalid_argument("batch must be at least 1, got 0");
    }
    if (load.context == 0 && load.n_new == 0) {
        throw std::invalid_argument("context + n_new must be at least 1, got 0");
    }
}

Call call(Count flops, Count bytes, const Machine& machine) {
    return {flops, bytes, seconds_at_bandwidth(static_cast<double>(bytes), machine.bytes_per_second),
            seconds_at_flop_rate(static_cast<double>(flops), machine.flops_per_second)};
}

// (context + 1) + (context + 2) + … + tokens
Count tokens_projected_anew(Count context, Count tokens) {
    return product({tokens, tokens + 1}) / 2 - product({context, context + 1}) / 2;
}

}  // namespace

double Call::seconds() const {
    return std::max(memory_seconds, arithmetic_seconds);
}

bool Call::bound_by_memory() const {
    return memory_seconds >= arithmetic_seconds;
}

CostReport cost_report(const ModelShape& model, const Load& load, const Machine& machine) {
    expect_model(model);
    expect_load(load);
    CostReport report;
    const Count tokens = sum(load.context, load.n_new);
    report.tokens = tokens;
    report.kv_bytes_per_token = kv_bytes_per_token(model);
    report.row_bytes = cache_bytes(model, tokens);
    report.reserved_bytes = reserved_bytes(model, load.batch, tokens);
    report.expanded_bytes = product({load.batch, expanded_bytes(model, tokens)});
    report.weight_bytes = weight_bytes(model);
    report.total_bytes = sum(report.weight_bytes, report.reserved_bytes);
    report.largest_batch = largest_batch(model, tokens, machine.memory_bytes);
    if (load.context > 0) {
        report.prefill =
            call(model_flops(model, load.batch, load.context, 0), call_bytes(model, load.batch, load.context), machine);
    }
    report.decode = call(model_flops(model, load.batch, 1, tokens - 1), call_bytes(model, load.batch, tokens), machine);
    report.recompute = call(model_flops(model, load.batch, tokens, 0), call_bytes(model, load.batch, 0), machine);
    report.projected_with_cache = product({load.batch, load.n_new});
    report.projected_without_cache = product({load.batch, tokens_projected_anew(load.context, tokens)});
    report.copied_by_concatenation = product({load.batch, bytes_copied_by_concatenation(model, tokens) -
                                                              bytes_copied_by_concatenation(model, load.context)});
    report.decode_flops_per_cache_byte = decode_flops_per_cache_byte(model);
    return report;
}

}  // namespace workbook::reference
