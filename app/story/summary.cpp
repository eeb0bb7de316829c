#include "app/story/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

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
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", number);
    return text.data();
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
    return "speed     " + grouped(tokens) + " tokens in " + short_number(run.seconds) + " s, " +
           short_number(static_cast<double>(tokens) / run.seconds) + " a second " +
           (run.caching == Caching::on ? "with" : "without") + " a cache\n";
}

std::string last_token_line(const Llama& model, const Run& run) {
    std::vector<Tokens> texts = run.prompts;
    for (std::size_t b = 0; b < texts.size(); ++b) {
        texts[b].insert(texts[b].end(), run.told[b].begin(), run.told[b].end());
    }
    const auto rows = static_cast<double>(texts.size());
    const double with = rows / seconds_of_last_token(model, texts, Caching::on);
    const double without = rows / seconds_of_last_token(model, texts, Caching::off);
    return "          by the end " + short_number(with) + " a second with a cache, " + short_number(without) +
           " without: " + short_number(with / without) + " times\n";
}

std::string cache_line(const Llama& model, const Run& run) {
    const reference::ModelShape shape = model.shape();
    const std::size_t batch = run.prompts.size();
    const std::string allocated =
        run.caching == Caching::on ? grouped(run.cache_bytes) + " bytes allocated" : std::string("none allocated");
    return "cache     " + allocated + "; the formula:\n          2 · " + grouped(shape.n_layers) + " layers · " +
           grouped(shape.n_kv_heads) + " kv heads · " + grouped(shape.head_dim) + " wide · " +
           grouped(shape.bytes_per_element) + " bytes · " + grouped(run.max_len) + " tokens" +
           (batch > 1 ? " · " + grouped(batch) + " rows" : "") + " = " +
           grouped(reserved_bytes(shape, batch, run.max_len)) + "\n";
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
    return "copied    nothing; a cache that grows by concatenation would have copied\n          " + grouped(copied) +
           " bytes\n";
}

}  // namespace

std::string summary(const Llama& model, const Run& run) {
    return speed_line(run) + last_token_line(model, run) + cache_line(model, run) + concatenation_line(model, run);
}

}  // namespace workbook::story
