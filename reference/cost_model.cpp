#include "cost_model.hpp"

#include <stdexcept>
#include <string>

namespace workbook::reference {

namespace {

Count kv_bytes_for_heads(const ModelShape& model, Count heads) {
    return 2 * model.n_layers * heads * model.head_dim * model.bytes_per_element;  // a key and a value
}

}  // namespace

Count kv_bytes_per_token(const ModelShape& model) {
    return kv_bytes_for_heads(model, model.n_kv_heads);
}

Count cache_bytes(const ModelShape& model, Count tokens) {
    return tokens * kv_bytes_per_token(model);
}

Count expanded_bytes(const ModelShape& model, Count tokens) {
    return tokens * kv_bytes_for_heads(model, model.n_heads);
}

Count reserved_bytes(const ModelShape& model, Count batch, Count max_len) {
    return cache_bytes(model, batch * max_len);
}

Count tokens_copied_by_concatenation(Count steps) {
    Count copied = 0;
    for (Count held = 0; held < steps; ++held) {
        copied += held;
    }
    return copied;
}

Count bytes_copied_by_concatenation(const ModelShape& model, Count steps) {
    return cache_bytes(model, tokens_copied_by_concatenation(steps));
}

Count projection_flops(const ModelShape& model, Count tokens) {
    const Count q_width = model.n_heads * model.head_dim;
    const Count kv_width = model.n_kv_heads * model.head_dim;
    const Count multiply_adds = tokens * model.d_model * (2 * q_width + 2 * kv_width);  // wq and wo, wk and wv
    return 2 * multiply_adds;
}

Count attention_flops(const ModelShape& model, Count batch, Count q_len, Count past) {
    const Count pairs = q_len * past + q_len * (q_len + 1) / 2;                      // query t sees past + t + 1 keys
    const Count multiply_adds = 2 * batch * pairs * model.n_heads * model.head_dim;  // q·k, then weight·v
    return 2 * multiply_adds;
}

Count prefill_flops(const ModelShape& model, Count batch, Count q_len) {
    return model.n_layers * (projection_flops(model, batch * q_len) + attention_flops(model, batch, q_len, 0));
}

Count decode_flops(const ModelShape& model, Count batch, Count past) {
    return model.n_layers * (projection_flops(model, batch) + attention_flops(model, batch, 1, past));
}

double decode_flops_per_cache_byte(const ModelShape& model) {
    const Count past = 1;
    const Count flops = model.n_layers * attention_flops(model, 1, 1, past);
    return static_cast<double>(flops) / static_cast<double>(cache_bytes(model, past + 1));
}

double seconds_at_bandwidth(double bytes, double bytes_per_second) {
    if (!(bytes_per_second > 0)) {
        throw std::invalid_argument("seconds_at_bandwidth: bytes_per_second must be positive, got " +
                                    std::to_string(bytes_per_second));
    }
    return bytes / bytes_per_second;
}

}  // namespace workbook::reference
