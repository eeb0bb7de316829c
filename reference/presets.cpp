#include "reference/presets.hpp"

#include <fstream>
#include <stdexcept>

namespace workbook::reference {

namespace {

ModelShape shape_of(const nlohmann::json& model) {
    return {.n_layers = model.at("n_layers"),
            .d_model = model.at("d_model"),
            .n_heads = model.at("n_heads"),
            .n_kv_heads = model.at("n_kv_heads"),
            .head_dim = model.at("head_dim"),
            .bytes_per_element = model.at("bytes_per_element"),
            .windowed_layers = model.at("windowed_layers"),
            .window = model.at("window"),
            .parameters = model.at("parameters"),
            .lookup_parameters = model.at("lookup_parameters")};
}

nlohmann::ordered_json json_of(const Call& call) {
    return {{"flops", call.flops},
            {"bytes", call.bytes},
            {"memory_seconds", call.memory_seconds},
            {"arithmetic_seconds", call.arithmetic_seconds},
            {"seconds", call.seconds()},
            {"bound_by_memory", call.bound_by_memory()}};
}

}  // namespace

std::vector<Preset> read_presets(const std::filesystem::path& file) {
    try {
        std::ifstream stream(file);
        const nlohmann::json content = nlohmann::json::parse(stream);
        std::vector<Preset> presets;
        for (const nlohmann::json& model : content.at("models")) {
            presets.push_back({model.at("name"), model.at("title"), model.at("year"), model.at("source"),
                               model.at("max_context"), shape_of(model)});
            expect_model(presets.back().shape);
        }
        return presets;
    } catch (const std::exception& error) {
        throw std::runtime_error(file.string() + " cannot be read: " + error.what());
    }
}

nlohmann::ordered_json json_of(const CostReport& report) {
    return {{"tokens", report.tokens},
            {"kv_bytes_per_token", report.kv_bytes_per_token},
            {"row_bytes", report.row_bytes},
            {"reserved_bytes", report.reserved_bytes},
            {"expanded_bytes", report.expanded_bytes},
            {"weight_bytes", report.weight_bytes},
            {"total_bytes", report.total_bytes},
            {"largest_batch", report.largest_batch},
            {"prefill", json_of(report.prefill)},
            {"decode", json_of(report.decode)},
            {"recompute", json_of(report.recompute)},
            {"projected_with_cache", report.projected_with_cache},
            {"projected_without_cache", report.projected_without_cache},
            {"copied_by_concatenation", report.copied_by_concatenation},
            {"decode_flops_per_cache_byte", report.decode_flops_per_cache_byte}};
}

nlohmann::ordered_json json_of(const ModelShape& model) {
    return {{"n_layers", model.n_layers},
            {"d_model", model.d_model},
            {"n_heads", model.n_heads},
            {"n_kv_heads", model.n_kv_heads},
            {"head_dim", model.head_dim},
            {"bytes_per_element", model.bytes_per_element},
            {"windowed_layers", model.windowed_layers},
            {"window", model.window},
            {"parameters", model.parameters},
            {"lookup_parameters", model.lookup_parameters}};
}

}  // namespace workbook::reference
