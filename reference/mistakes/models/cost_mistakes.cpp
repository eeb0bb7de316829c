#include "reference/mistakes/models/cost_mistakes.hpp"

#include <cmath>

namespace workbook::mistakes {

namespace {

double number(costs::Count count) {
    return static_cast<double>(count);
}

double batch_of(const Extents& extents, const Decisions& decisions) {
    return decisions.cost == Cost::without_batch ? 1 : number(extents.batch);
}

}  // namespace

double projection_multiply_adds(const Extents& extents, const Decisions& decisions) {
    const double matrices = decisions.cost == Cost::three_projections              ? 3
                            : decisions.cost == Cost::operations_not_multiply_adds ? 8
                                                                                   : 4;
    const double width = decisions.cost == Cost::projections_linear_in_d_model ? 1 : number(extents.d_model);
    return matrices * batch_of(extents, decisions) * number(extents.q_len) * number(extents.d_model) * width;
}

double attention_multiply_adds(const Extents& extents, const Decisions& decisions) {
    const double q_len = number(extents.q_len);
    const double products = decisions.cost == Cost::scores_without_mixing          ? 1
                            : decisions.cost == Cost::operations_not_multiply_adds ? 4
                                                                                   : 2;
    const double pairs = decisions.cost == Cost::triangle_only     ? q_len * (q_len + 1) / 2
                         : decisions.cost == Cost::linear_in_q_len ? q_len
                                                                   : q_len * q_len;
    return products * batch_of(extents, decisions) * pairs * number(extents.d_model);
}

double score_elements(const Extents& extents, const Decisions& decisions) {
    const double q_len = number(extents.q_len);
    const double heads = decisions.cost == Cost::without_heads ? 1 : number(extents.n_heads);
    const double pairs = decisions.cost == Cost::triangle_only ? q_len * (q_len + 1) / 2 : q_len * q_len;
    return batch_of(extents, decisions) * heads * pairs;
}

double cache_bytes_per_token(const Extents& extents, const Decisions& decisions) {
    const double kinds = decisions.cost == Cost::keys_only ? 1 : 2;
    const double layers = decisions.cost == Cost::one_layer ? 1 : number(extents.n_layers);
    const double bytes = decisions.cost == Cost::elements_not_bytes ? 1 : number(extents.bytes_per_element);
    const double again = decisions.cost == Cost::bytes_twice   ? number(extents.bytes_per_element)
                         : decisions.cost == Cost::heads_twice ? number(extents.n_kv_heads)
                                                               : 1;
    return kinds * layers * number(extents.n_kv_heads) * number(extents.head_dim) * bytes * again;
}

double tokens_copied_by_concatenation(const Extents& extents, const Decisions& decisions) {
    const double steps = number(extents.steps);
    return decisions.cost == Cost::copies_one_step_more ? steps * (steps + 1) / 2
           : decisions.cost == Cost::copies_linear      ? steps
                                                        : steps * (steps - 1) / 2;
}

double tokens_projected_without_cache(const Extents& extents, const Decisions& decisions) {
    const double steps = number(extents.steps);
    return decisions.cost == Cost::projected_one_step_less ? steps * (steps - 1) / 2
           : decisions.cost == Cost::projected_linear      ? steps
                                                           : steps * (steps + 1) / 2;
}

double grouped_projection_multiply_adds(const Extents& extents, const Decisions& decisions) {
    const double d_model = number(extents.d_model);
    const double head_dim = number(extents.head_dim);
    const double kv_heads = decisions.cost == Cost::groups_for_heads ? d_model / head_dim / number(extents.n_kv_heads)
                                                                     : number(extents.n_kv_heads);
    const double kv_width = decisions.cost == Cost::grouped_like_multi_head ? d_model : kv_heads * head_dim;
    const double wide = decisions.cost == Cost::without_wo ? 1 : 2;
    const double narrow = decisions.cost == Cost::one_of_wk_wv ? 1 : 2;
    const double per_token = d_model * (wide * d_model + narrow * kv_width);
    const double flops = decisions.cost == Cost::operations_not_multiply_adds ? 2 : 1;
    return flops * batch_of(extents, decisions) * number(extents.q_len) * per_token;
}

double expanded_cache_bytes(const Extents& extents, const Decisions& decisions) {
    Extents expanded = extents;
    expanded.n_kv_heads = extents.n_heads;
    const double tokens = decisions.cost == Cost::of_one_token ? 1 : number(extents.tokens);
    return tokens * cache_bytes_per_token(expanded, decisions);
}

double decode_flops_per_cache_byte(const Extents& extents, const Decisions& decisions) {
    const double group_size = number(extents.n_heads) / number(extents.n_kv_heads);
    const double bytes = number(extents.bytes_per_element);
    switch (decisions.cost) {
        case Cost::groups_for_heads: return 2 * number(extents.n_kv_heads) / bytes;
        case Cost::intensity_without_group: return 2 / bytes;
        case Cost::intensity_of_keys_only: return 4 * group_size / bytes;
        case Cost::intensity_of_scores_only: return group_size / bytes;
        case Cost::intensity_inverted: return bytes / (2 * group_size);
        case Cost::intensity_in_whole_numbers: return std::floor(2 * group_size / bytes);
        default: return 2 * group_size / bytes;
    }
}

}  // namespace workbook::mistakes
