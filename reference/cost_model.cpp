#include "reference/cost_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reference/checked.hpp"

namespace workbook::reference {

namespace {

Count kv_bytes_for_heads(const ModelShape& model, Count heads) {
    return product({2, heads, model.head_dim, model.bytes_per_element});  // a key and a value of one layer
}

// Tokens that the layers keep of `tokens`, added over all layers.
Count kept_tokens(const ModelShape& model, Count tokens) {
    return sum(product({model.n_layers - model.windowed_layers, tokens}),
               product({model.windowed_layers, std::min(tokens, model.window)}));
}

Count multiplied_parameters(const ModelShape& model) {
    return model.parameters - model.lookup_parameters;
}

// Pairs of a query and a key that it sees: query t, on top of `past`, sees past + t + 1 keys.
Count pairs(Count q_len, Count past) {
    return sum(product({q_len, past}), product({q_len, q_len + 1}) / 2);
}

// The same when a query sees `window` keys at most: the first queries still see all there is.
Count windowed_pairs(Count q_len, Count past, Count window) {
    const Count growing = past < window ? std::min(q_len, window - past) : 0;
    return sum(pairs(growing, past), product({q_len - growing, window}));
}

Count flops_of_pairs(const ModelShape& model, Count batch, Count n_pairs) {
    return product({2, 2, batch, n_pairs, model.n_heads, model.head_dim});  // multiply-adds of q·k, then of weight·v
}

void expect_at_least_one(const char* name, Count count) {
    if (count == 0) {
        throw std::invalid_argument(std::string(name) + " must be at least 1, got 0");
    }
}

double seconds(const char* function, const char* rate_name, double amount, double per_second) {
    if (!(per_second > 0)) {
        throw std::invalid_argument(std::string(function) + ": " + rate_name + " must be positive, got " +
                                    std::to_string(per_second));
    }
    return amount / per_second;
}

}  // namespace

void expect_model(const ModelShape& model) {
    expect_at_least_one("n_layers", model.n_layers);
    expect_at_least_one("d_model", model.d_model);
    expect_at_least_one("n_heads", model.n_heads);
    expect_at_least_one("n_kv_heads", model.n_kv_heads);
    expect_at_least_one("head_dim", model.head_dim);
    expect_at_least_one("bytes_per_element", model.bytes_per_element);
    if (model.n_heads % model.n_kv_heads != 0) {
        throw std::invalid_argument("n_kv_heads must divide n_heads, " + std::to_string(model.n_heads) + ", got " +
                                    std::to_string(model.n_kv_heads));
    }
    if (model.windowed_layers > model.n_layers) {
        throw std::invalid_argument("windowed_layers must be at most n_layers, " + std::to_string(model.n_layers) +
                                    ", got " + std::to_string(model.windowed_layers));
    }
    if (model.windowed_layers > 0) {
        expect_at_least_one("window", model.window);
    }
    if (model.lookup_parameters > model.parameters) {
        throw std::invalid_argument("lookup_parameters must be at most parameters, " +
                                    std::to_string(model.parameters) + ", got " +
                                    std::to_string(model.lookup_parameters));
    }
}

ModelShape with_kv_heads(ModelShape model, Count n_kv_heads) {
    const Count per_head = product({2, model.n_layers, model.d_model, model.head_dim});  // columns of wk and wv
    const Count others = model.parameters - std::min(model.parameters, product({per_head, model.n_kv_heads}));
    model.parameters = sum(others, product({per_head, n_kv_heads}));
    model.n_kv_heads = n_kv_heads;
    return model;
}

Count kv_bytes_per_token(const ModelShape& model) {
    return product({model.n_layers, kv_bytes_for_heads(model, model.n_kv_heads)});
}

Count cache_bytes(const ModelShape& model, Count tokens) {
    return product({kept_tokens(model, tokens), kv_bytes_for_heads(model, model.n_kv_heads)});
}

Count expanded_bytes(const ModelShape& model, Count tokens) {
    return product({kept_tokens(model, tokens), kv_bytes_for_heads(model, model.n_heads)});
}

Count reserved_bytes(const ModelShape& model, Count batch, Count max_len) {
    return product({batch, cache_bytes(model, max_len)});
}

Count weight_bytes(const ModelShape& model) {
    return product({model.parameters, model.bytes_per_element});
}

Count largest_batch(const ModelShape& model, Count max_len, Count memory_bytes) {
    expect_at_least_one("max_len", max_len);
    const Count weights = weight_bytes(model);
    return memory_bytes <= weights ? 0 : (memory_bytes - weights) / cache_bytes(model, max_len);
}

Count tokens_copied_by_concatenation(Count steps) {
    return steps == 0 ? 0 : product({steps, steps - 1}) / 2;  // 0 + 1 + … + (steps - 1)
}

Count bytes_copied_by_concatenation(const ModelShape& model, Count steps) {
    return product({tokens_copied_by_concatenation(steps), kv_bytes_per_token(model)});
}

Count projection_flops(const ModelShape& model, Count tokens) {
    const Count q_width = product({model.n_heads, model.head_dim});
    const Count kv_width = product({model.n_kv_heads, model.head_dim});
    const Count width = sum(product({2, q_width}), product({2, kv_width}));  // wq and wo, wk and wv
    return product({2, tokens, model.d_model, width});
}

Count attention_flops(const ModelShape& model, Count batch, Count q_len, Count past) {
    return flops_of_pairs(model, batch, pairs(q_len, past));
}

Count all_attention_flops(const ModelShape& model, Count batch, Count q_len, Count past) {
    const Count windowed = flops_of_pairs(model, batch, windowed_pairs(q_len, past, model.window));
    return sum(product({model.n_layers - model.windowed_layers, attention_flops(model, batch, q_len, past)}),
               product({model.windowed_layers, windowed}));
}

Count prefill_flops(const ModelShape& model, Count batch, Count q_len) {
    return sum(product({model.n_layers, projection_flops(model, product({batch, q_len}))}),
               all_attention_flops(model, batch, q_len, 0));
}

Count decode_flops(const ModelShape& model, Count batch, Count past) {
    return sum(product({model.n_layers, projection_flops(model, batch)}), all_attention_flops(model, batch, 1, past));
}

Count model_flops(const ModelShape& model, Count batch, Count q_len, Count past) {
    return sum(product({2, multiplied_parameters(model), batch, q_len}),
               all_attention_flops(model, batch, q_len, past));
}

double decode_flops_per_cache_byte(const ModelShape& model) {
    const Count past = 1;
    const Count flops = all_attention_flops(model, 1, 1, past);
    return static_cast<double>(flops) / static_cast<double>(cache_bytes(model, past + 1));
}

Count call_bytes(const ModelShape& model, Count batch, Count kv_len) {
    return sum(product({multiplied_parameters(model), model.bytes_per_element}), reserved_bytes(model, batch, kv_len));
}

double seconds_at_bandwidth(double bytes, double bytes_per_second) {
    return seconds("seconds_at_bandwidth", "bytes_per_second", bytes, bytes_per_second);
}

double seconds_at_flop_rate(double flops, double flops_per_second) {
    return seconds("seconds_at_flop_rate", "flops_per_second", flops, flops_per_second);
}

}  // namespace workbook::reference
