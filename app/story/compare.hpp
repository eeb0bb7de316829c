/// @file
/// Compares the attention of this program with the worked solution, while both read the same text.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/judge/verdict.hpp"
#include "app/story/telling/record.hpp"
#include "app/story/telling/session.hpp"

namespace workbook::story {

/// Where two runs differ first, and why.
struct Difference {
    std::size_t position = 0;             ///< of the first token that is wrong
    std::size_t layer = 0;                ///< the first whose attention is wrong there
    std::vector<std::size_t> heads;       ///< query heads that are wrong there; none when the fault is behind the heads
    std::optional<app::Finding> finding;  ///< the known mistakes that give these answers, if any do
};

/// Reads along with the worked solution until the logits of a token differ by more than rounding.
/// @param model    reads along
/// @param caching  as in the worked solution's run
/// @param max_len  the capacity of the caches
/// @param worked   the steps of the worked solution
/// @param tokens   grows by the tokens that were compared
/// @param on_step  called before each call of the model
/// @return         none when the worked solution ends first
/// @throws what Session::read throws
[[nodiscard]] std::optional<Difference> first_difference(
    const Llama& model, Caching caching, std::size_t max_len, std::istream& worked, Tokens& tokens,
    const std::function<void()>& on_step = [] {});

/// The difference in words: token, layer, position, heads, mistake.
[[nodiscard]] std::string difference_text(const Difference& difference, const Llama& model,
                                          const Vocabulary& vocabulary, const Tokens& tokens);

}  // namespace workbook::story
