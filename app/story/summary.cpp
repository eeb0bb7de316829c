#include "app/story/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/text.hpp"
#include "app/show/cost_table.hpp"
#include "app/story/telling/session.hpp"
#include "app/story/telling/telling.hpp"

namespace workbook::story {

namespace {

using app::grouped;

// Three digits: 0.0214 is "0.0214", 1203.7 is "1,204".
std::string short_number(double number) {
    if (number >= 100) {
        return grouped(static_cast<reference::Count>(std::llround(number)));
    }
    return fmt::format("{:.3g}", number);
}

std::size_t total(const std::vector<Tokens>& rows) {
    std::size_t count = 0;
    for (const Tokens& row : rows) {
        count += row.size();
    }
    return count;
}

std::string speed_line(const Run& run) {
    const std::size_t tokens = total(run.told);
    return fmt::format("speed     {} tokens in {} s, {} a second {} a cache\n", grouped(tokens),
                       short_number(run.seconds), short_number(static_cast<double>(tokens) / run.seconds),
                       run.caching == Caching::on ? "with" : "without");
}

std::string last_token_line(const Llama& model, const Run& run) {
    std::vector<Tokens> texts = run.prompts;
    for (std::size_t b = 0; b < texts.size(); ++b) {
        texts[b].insert(texts[b].end(), run.told[b].begin(), run.told[b].end());
    }
    const auto rows = static_cast<double>(texts.size());
    const double with = rows / seconds_of_last_token(model, texts, Caching::on);
    const double without = rows / seconds_of_last_token(model, texts, Caching::off);
    return fmt::format("          by the end {} a second with a cache, {} without: {} times\n", short_number(with),
                       short_number(without), short_number(with / without));
}

std::string cache_line(const Llama& model, const Run& run) {
    const reference::ModelShape shape = model.shape();
    const std::size_t batch = run.prompts.size();
    const std::string allocated =
        run.caching == Caching::on ? grouped(run.cache_bytes) + " bytes allocated" : std::string("none allocated");
    const std::string rows = batch > 1 ? fmt::format(" · {} rows", grouped(batch)) : "";
    return fmt::format(
        "cache     {}; the formula:\n"
        "          2 · {} layers · {} kv heads · {} wide · {} bytes · {} tokens{} = {}\n",
        allocated, grouped(shape.n_layers), grouped(shape.n_kv_heads), grouped(shape.head_dim),
        grouped(shape.bytes_per_element), grouped(run.max_len), rows,
        grouped(reserved_bytes(shape, batch, run.max_len)));
}

std::string concatenation_line(const Llama& model, const Run& run) {
    const reference::ModelShape shape = model.shape();
    const std::size_t most = run.max_len - std::ranges::max(lengths_of(run.prompts));  // new tokens of a row
    reference::Count copied = 0;
    for (std::size_t b = 0; b < run.prompts.size(); ++b) {
        const std::size_t prompt = run.prompts[b].size();
        const std::size_t read = std::min(run.told[b].size(), most - 1);  // the last of them is told and not read
        copied += bytes_copied_by_concatenation(shape, prompt + read) - bytes_copied_by_concatenation(shape, prompt);
    }
    return fmt::format("copied    nothing; a cache that grows by concatenation would have copied\n          {} bytes\n",
                       grouped(copied));
}

}  // namespace

std::string summary(const Llama& model, const Run& run) {
    return speed_line(run) + last_token_line(model, run) + cache_line(model, run) + concatenation_line(model, run);
}

}  // namespace workbook::story
