/// @file
/// Goes on with prompts, token by token.
#pragma once

#include <functional>
#include <vector>

#include "app/story/telling/sampler.hpp"
#include "app/story/telling/session.hpp"
#include "app/story/wrong_request.hpp"

namespace workbook::story {

/// Refuses prompts and a number of new tokens that do not fit into the model's context, or whose caches do not fit into
/// this machine's memory.
/// @throws WrongRequest
void expect_room(const Llama& model, const std::vector<Tokens>& prompts, std::size_t n_tokens);

/// Reads on, as Session::read.
using Read = std::function<Tensor<3>(const std::vector<Tokens>& new_tokens)>;

/// Sees a new token of a row.
using OnToken = std::function<void(std::size_t row, TokenId token)>;

/// Goes on with every prompt until its text ends or it has n_tokens new tokens. Every row samples for itself, so a row
/// of a batch gives what it gives alone.
/// @param model       gives the logits
/// @param vocabulary  says which tokens end a text
/// @param prompts     [B], each at least one token
/// @param n_tokens    the most new tokens of a row
/// @param sampling    how they are chosen
/// @param read        has the model read on
/// @param on_token    sees every new token at once
/// @return            [B], the new tokens
/// @throws what Session::read throws; AttentionFailed also when the logits are not finite
std::vector<Tokens> tell(const Llama& model, const Vocabulary& vocabulary, const std::vector<Tokens>& prompts,
                         std::size_t n_tokens, const Sampling& sampling, const Read& read, const OnToken& on_token);

/// Seconds of wall-clock time for the last token of every row on top of those before it, the median of several runs.
/// @param model    reads the texts
/// @param texts    [B], each at least one token
/// @param caching  without a cache, the last token takes all of them again
[[nodiscard]] double seconds_of_last_token(const Llama& model, const std::vector<Tokens>& texts, Caching caching);

}  // namespace workbook::story
