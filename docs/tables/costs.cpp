// The numbers of the costs page, all from reference/cost_model and the worked cost functions.
#include <array>

#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"
#include "docs/tables/models.hpp"
#include "part1_mha/attention.hpp"

namespace workbook::docs {

namespace {

using reference::Count;
using reference::ModelShape;

constexpr Count context = 4096;

struct Kind {
    const char* name;
    Count n_kv_heads;
};

constexpr std::array<Kind, 3> kinds{{{"MHA, Hkv = 32", 32}, {"GQA, Hkv = 8", 8}, {"MQA, Hkv = 1", 1}}};

std::string cache_table() {
    std::vector<std::vector<std::string>> rows{{"heads", "per token", "4,096 tokens", "32 rows × 8,192 reserved"}};
    for (const auto& [name, n_kv_heads] : kinds) {
        const ModelShape model = with_kv_heads(llama_8b, n_kv_heads);
        rows.push_back({name, grouped(reference::kv_bytes_per_token(model)) + "\u00a0B",
                        binary(reference::cache_bytes(model, context)),
                        binary(reference::reserved_bytes(model, 32, 8192))});
    }
    return table(rows);
}

// One line for a call of `q_len` tokens in each of `batch` rows on top of `past`.
std::vector<std::string> call_row(const std::string& name, const ModelShape& model, Count batch, Count q_len,
                                  Count past) {
    const Count projections = model.n_layers * reference::projection_flops(model, batch * q_len);
    const Count attention = model.n_layers * reference::attention_flops(model, batch, q_len, past);
    const Count bytes = projection_bytes(model) + reference::cache_bytes(model, batch * (past + q_len));
    const auto flops = static_cast<double>(projections + attention);
    const double memory = reference::seconds_at_bandwidth(static_cast<double>(bytes), bandwidth);
    const double arithmetic = flops / flop_rate;
    return {name,
            decimal(static_cast<double>(projections) / 2),
            decimal(static_cast<double>(attention) / 2),
            binary(projection_bytes(model)),
            binary(reference::cache_bytes(model, batch * (past + q_len))),
            fixed(flops / static_cast<double>(bytes), 1),
            duration(memory),
            duration(arithmetic)};
}

const std::vector<std::string> call_head{"call",      "projections", "scores and mixing", "weights", "cache",
                                         "FLOP/byte", "memory",      "arithmetic"};

std::string calls_table() {
    std::vector<std::vector<std::string>> rows{call_head};
    for (const auto& [name, n_kv_heads] : kinds) {
        rows.push_back(
            call_row("prefill, " + std::string(name).substr(0, 3), with_kv_heads(llama_8b, n_kv_heads), 1, context, 0));
    }
    for (const auto& [name, n_kv_heads] : kinds) {
        rows.push_back(call_row("decode, " + std::string(name).substr(0, 3), with_kv_heads(llama_8b, n_kv_heads), 1, 1,
                                context - 1));
    }
    return table(rows);
}

std::string batch_table() {
    std::vector<std::vector<std::string>> rows{
        {"rows", "weights", "cache, MHA", "cache, GQA", "FLOP/byte, MHA", "FLOP/byte, GQA", "time, MHA", "time, GQA"}};
    for (const Count batch : {1U, 8U, 32U, 64U}) {
        const auto mha = call_row("", with_kv_heads(llama_8b, 32), batch, 1, context - 1);
        const auto gqa = call_row("", llama_8b, batch, 1, context - 1);
        rows.push_back({grouped(batch), gqa[3], mha[4], gqa[4], mha[5], gqa[5], mha[6], gqa[6]});
    }
    return table(rows);
}

std::string without_cache_table() {
    std::vector<std::vector<std::string>> rows{
        {"tokens generated", "projected, no cache", "projected, cache", "pairs, no cache", "pairs, cache"}};
    for (const Count steps : {256U, 1024U, 4096U}) {
        Count pairs = 0;
        for (Count length = 1; length <= steps; ++length) {
            pairs += length * (length + 1) / 2;
        }
        rows.push_back({grouped(steps), grouped(costs::tokens_projected_without_cache(steps)), grouped(steps),
                        decimal(static_cast<double>(pairs)),
                        decimal(static_cast<double>(costs::tokens_projected_without_cache(steps)))});
    }
    return table(rows);
}

std::string concatenation_table() {
    std::vector<std::vector<std::string>> rows{
        {"steps", "tokens copied", "bytes copied", "read and written at 3.35 TB/s", "written in place"}};
    for (const Count steps : {1024U, 4096U, 16384U}) {
        const Count bytes = reference::bytes_copied_by_concatenation(llama_8b, steps);
        rows.push_back({grouped(steps), grouped(reference::tokens_copied_by_concatenation(steps)), binary(bytes),
                        duration(reference::seconds_at_bandwidth(2 * static_cast<double>(bytes), bandwidth)),
                        binary(reference::cache_bytes(llama_8b, steps))});
    }
    return table(rows);
}

std::string intensity_table() {
    std::vector<std::vector<std::string>> rows{
        {"heads", "G", "FLOP per byte of cache", "cache read per token at 4,096"}};
    for (const auto& [name, n_kv_heads] : kinds) {
        const ModelShape model = with_kv_heads(llama_8b, n_kv_heads);
        rows.push_back({name, grouped(model.n_heads / n_kv_heads),
                        fixed(reference::decode_flops_per_cache_byte(model), 0),
                        binary(reference::cache_bytes(model, context))});
    }
    return table(rows);
}

std::string gain(bool decode) {
    const auto time = [&](Count n_kv_heads) {
        const ModelShape model = with_kv_heads(llama_8b, n_kv_heads);
        return decode ? static_cast<double>(projection_bytes(model) + reference::cache_bytes(model, 64 * context))
                      : static_cast<double>(reference::prefill_flops(model, 1, context));
    };
    return fixed(time(32) / time(8), 2);
}

// Operations of one row over the bytes of its cache: what intensity tends to when the weights are shared by many rows.
std::string intensity_limit(Count n_kv_heads) {
    const ModelShape model = with_kv_heads(llama_8b, n_kv_heads);
    return fixed(static_cast<double>(reference::decode_flops(model, 1, context - 1)) /
                     static_cast<double>(reference::cache_bytes(model, context)),
                 1);
}

std::string score_bytes() {
    return binary(costs::score_elements(1, llama_8b.n_heads, context) * llama_8b.bytes_per_element);
}

std::string multiply_adds_table() {
    const Count d_model = llama_8b.d_model;
    const auto text = [](Count count) { return decimal(static_cast<double>(count)); };
    std::vector<std::vector<std::string>> rows{{"what, in one layer", "formula", "B 1, T 4,096", "B 1, T 1"}};
    rows.push_back({"projections, MHA", "4·B·T·D²", text(costs::projection_multiply_adds(1, context, d_model)),
                    text(costs::projection_multiply_adds(1, 1, d_model))});
    rows.push_back({"projections, Hkv = 8", "2·B·T·D·(D + Hkv·d)",
                    text(costs::grouped_projection_multiply_adds(1, context, d_model, 8, 128)),
                    text(costs::grouped_projection_multiply_adds(1, 1, d_model, 8, 128))});
    rows.push_back({"scores and mixing, all pairs", "2·B·T²·D",
                    text(costs::attention_multiply_adds(1, context, d_model)),
                    text(costs::attention_multiply_adds(1, 1, d_model))});
    rows.push_back({"… visible pairs", "B·T·(T + 1)·D", text(reference::attention_flops(llama_8b, 1, context, 0) / 2),
                    text(reference::attention_flops(llama_8b, 1, 1, 0) / 2)});
    rows.push_back({"… one token on 4,095", "2·B·S·D", "", text(reference::attention_flops(llama_8b, 1, 1, 4095) / 2)});
    return table(rows);
}

}  // namespace

Blocks cost_blocks() {
    return {{"cache_table", cache_table},
            {"calls_table", calls_table},
            {"batch_table", batch_table},
            {"without_cache_table", without_cache_table},
            {"concatenation_table", concatenation_table},
            {"intensity_table", intensity_table},
            {"multiply_adds_table", multiply_adds_table},
            {"decode_gain", [] { return gain(true); }},
            {"prefill_gain", [] { return gain(false); }},
            {"intensity_limit_mha", [] { return intensity_limit(32); }},
            {"intensity_limit_gqa", [] { return intensity_limit(8); }},
            {"score_bytes", score_bytes},
            {"kv_per_token", [] { return grouped(reference::kv_bytes_per_token(llama_8b)); }},
            {"kv_per_token_70b", [] { return grouped(reference::kv_bytes_per_token(llama_70b)); }},
            {"cache_4096", [] { return binary(reference::cache_bytes(llama_8b, context)); }},
            {"expanded_4096", [] { return binary(reference::expanded_bytes(llama_8b, context)); }},
            {"reserved_32_8192", [] { return binary(reference::reserved_bytes(llama_8b, 32, 8192)); }},
            {"ridge", [] { return fixed(flop_rate / bandwidth, 0); }},
            {"weight_bytes", [] { return binary(projection_bytes(llama_8b)); }}};
}

}  // namespace workbook::docs
