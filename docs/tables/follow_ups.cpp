// The numbers of the follow-ups.
#include "docs/tables/blocks.hpp"
#include "docs/tables/format.hpp"
#include "docs/tables/models.hpp"

namespace workbook::docs {

namespace {

using reference::Count;

constexpr Count block_size = 16;

std::string tokens_bytes(Count tokens) {
    return binary(reference::cache_bytes(llama_8b, tokens));
}

std::string percent(double share) {
    return fixed(100 * share, 1) + "\u00a0%";
}

// A dense buffer for seven rows of 100 tokens beside one of 100,000.
constexpr Count long_row = 100000;
constexpr Count dense_tokens = 8 * long_row;
constexpr Count live_tokens = long_row + Count{7} * 100;

// The same rows in whole blocks.
Count block_tokens() {
    const auto blocks = [](Count tokens) { return (tokens + block_size - 1) / block_size; };
    return (blocks(long_row) + 7 * blocks(100)) * block_size;
}

// Bytes that a decode step of 64 rows reads, for as many tokens of cache in each row.
std::string step_of_64(Count tokens) {
    const Count bytes = reference::cache_bytes(llama_8b, 64 * tokens);
    return binary(bytes) + ", " + duration(reference::seconds_at_bandwidth(static_cast<double>(bytes), bandwidth));
}

Count quantised_bytes() {
    const Count elements = reference::kv_bytes_per_token(llama_8b) / llama_8b.bytes_per_element;
    const Count scales = 2 * llama_8b.n_layers * llama_8b.n_kv_heads;  // one for each token and head, keys and values
    return elements + 2 * scales;
}

Count rotations_on_read(Count tokens) {
    return tokens * llama_8b.n_layers * llama_8b.n_kv_heads * llama_8b.head_dim / 2;
}

std::string prefill_time(Count from, Count to) {
    const auto flops = static_cast<double>(reference::prefill_flops(llama_8b, 1, to)) -
                       static_cast<double>(from == 0 ? 0 : reference::prefill_flops(llama_8b, 1, from));
    return decimal(flops) + "FLOP";
}

}  // namespace

Blocks follow_up_blocks() {
    return {{"window_bytes", [] { return tokens_bytes(4096); }},
            {"context_bytes", [] { return tokens_bytes(131072); }},
            {"dense_bytes", [] { return tokens_bytes(dense_tokens); }},
            {"live_bytes", [] { return tokens_bytes(live_tokens); }},
            {"dense_waste",
             [] { return percent(1 - static_cast<double>(live_tokens) / static_cast<double>(dense_tokens)); }},
            {"block_bytes", [] { return tokens_bytes(block_size); }},
            {"blocks_bytes", [] { return tokens_bytes(block_tokens()); }},
            {"block_waste", [] { return grouped(block_tokens() - live_tokens); }},
            {"prefix_64", [] { return tokens_bytes(Count{64} * 2000); }},
            {"prefix_once", [] { return tokens_bytes(2000); }},
            {"prefill_2100", [] { return prefill_time(0, 2100); }},
            {"prefill_on_prefix", [] { return prefill_time(2000, 2100); }},
            {"quantised_per_token", [] { return grouped(quantised_bytes()); }},
            {"quantised_share",
             [] {
                 return percent(static_cast<double>(quantised_bytes()) /
                                static_cast<double>(reference::kv_bytes_per_token(llama_8b)));
             }},
            {"rotations_per_token", [] { return grouped(rotations_on_read(1)); }},
            {"rotations_4096", [] { return decimal(static_cast<double>(rotations_on_read(4096))); }},
            {"step_capacity", [] { return step_of_64(8192); }},
            {"step_live", [] { return step_of_64(600); }}};
}

}  // namespace workbook::docs
