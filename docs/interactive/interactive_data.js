// Written by interactive_data from docs/models.json and reference/mistakes.
globalThis.workbookData = {
 "models": [
  {
   "name": "llama-3.1-8b",
   "title": "Llama 3.1 8B",
   "year": 2024,
   "n_layers": 32,
   "d_model": 4096,
   "n_heads": 32,
   "n_kv_heads": 8,
   "head_dim": 128,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 131072,
   "vocabulary": 128256,
   "parameters": 8030261248,
   "lookup_parameters": 525336576,
   "source": "config.json of meta-llama/Llama-3.1-8B"
  },
  {
   "name": "llama-3.1-70b",
   "title": "Llama 3.1 70B",
   "year": 2024,
   "n_layers": 80,
   "d_model": 8192,
   "n_heads": 64,
   "n_kv_heads": 8,
   "head_dim": 128,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 131072,
   "vocabulary": 128256,
   "parameters": 70553706496,
   "lookup_parameters": 1050673152,
   "source": "config.json of meta-llama/Llama-3.1-70B"
  },
  {
   "name": "llama-3.1-405b",
   "title": "Llama 3.1 405B",
   "year": 2024,
   "n_layers": 126,
   "d_model": 16384,
   "n_heads": 128,
   "n_kv_heads": 8,
   "head_dim": 128,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 131072,
   "vocabulary": 128256,
   "parameters": 405853388800,
   "lookup_parameters": 2101346304,
   "source": "config.json of meta-llama/Llama-3.1-405B"
  },
  {
   "name": "llama-2-7b",
   "title": "Llama 2 7B",
   "year": 2023,
   "n_layers": 32,
   "d_model": 4096,
   "n_heads": 32,
   "n_kv_heads": 32,
   "head_dim": 128,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 4096,
   "vocabulary": 32000,
   "parameters": 6738415616,
   "lookup_parameters": 131072000,
   "source": "config.json of meta-llama/Llama-2-7b-hf"
  },
  {
   "name": "llama-2-70b",
   "title": "Llama 2 70B",
   "year": 2023,
   "n_layers": 80,
   "d_model": 8192,
   "n_heads": 64,
   "n_kv_heads": 8,
   "head_dim": 128,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 4096,
   "vocabulary": 32000,
   "parameters": 68976648192,
   "lookup_parameters": 262144000,
   "source": "config.json of meta-llama/Llama-2-70b-hf"
  },
  {
   "name": "mistral-7b",
   "title": "Mistral 7B v0.1",
   "year": 2023,
   "n_layers": 32,
   "d_model": 4096,
   "n_heads": 32,
   "n_kv_heads": 8,
   "head_dim": 128,
   "windowed_layers": 32,
   "window": 4096,
   "bytes_per_element": 2,
   "max_context": 32768,
   "vocabulary": 32000,
   "parameters": 7241732096,
   "lookup_parameters": 131072000,
   "source": "config.json of mistralai/Mistral-7B-v0.1"
  },
  {
   "name": "qwen2.5-7b",
   "title": "Qwen2.5 7B",
   "year": 2024,
   "n_layers": 28,
   "d_model": 3584,
   "n_heads": 28,
   "n_kv_heads": 4,
   "head_dim": 128,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 131072,
   "vocabulary": 152064,
   "parameters": 7615616512,
   "lookup_parameters": 544997376,
   "source": "config.json of Qwen/Qwen2.5-7B"
  },
  {
   "name": "gemma-2-9b",
   "title": "Gemma 2 9B",
   "year": 2024,
   "n_layers": 42,
   "d_model": 3584,
   "n_heads": 16,
   "n_kv_heads": 8,
   "head_dim": 256,
   "windowed_layers": 21,
   "window": 4096,
   "bytes_per_element": 2,
   "max_context": 8192,
   "vocabulary": 256000,
   "parameters": 9241705984,
   "lookup_parameters": 0,
   "source": "config.json of google/gemma-2-9b"
  },
  {
   "name": "gpt-2",
   "title": "GPT-2 small",
   "year": 2019,
   "n_layers": 12,
   "d_model": 768,
   "n_heads": 12,
   "n_kv_heads": 12,
   "head_dim": 64,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 1024,
   "vocabulary": 50257,
   "parameters": 124439808,
   "lookup_parameters": 786432,
   "source": "config.json of openai-community/gpt2"
  },
  {
   "name": "falcon-7b",
   "title": "Falcon 7B",
   "year": 2023,
   "n_layers": 32,
   "d_model": 4544,
   "n_heads": 71,
   "n_kv_heads": 1,
   "head_dim": 64,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 2,
   "max_context": 2048,
   "vocabulary": 65024,
   "parameters": 7217189760,
   "lookup_parameters": 295469056,
   "source": "config.json of tiiuae/falcon-7b"
  },
  {
   "name": "stories260k",
   "title": "stories260K",
   "year": 2023,
   "n_layers": 5,
   "d_model": 64,
   "n_heads": 8,
   "n_kv_heads": 4,
   "head_dim": 8,
   "windowed_layers": 0,
   "window": 0,
   "bytes_per_element": 4,
   "max_context": 2048,
   "vocabulary": 512,
   "parameters": 292800,
   "lookup_parameters": 32768,
   "source": "metadata of stories260K.gguf, from the tinyllamas models"
  }
 ],
 "mistakes": [
  {
   "id": "empty_row_uniform",
   "step": "1.2",
   "title": "a row that sees nothing becomes an average over all keys",
   "mechanism": "Its scores are replaced by one finite number, or its sum is mended: each key gets 1 / S.",
   "hides": "while every query sees at least its own key",
   "look": "Leave -infinity as it is, and give zeros to a row in which nothing is left.",
   "models": [
    {
     "empty_row": "uniform"
    }
   ]
  },
  {
   "id": "mask_missing",
   "step": "1.3",
   "title": "there is no causal mask",
   "mechanism": "Every query sees every key, its own future too.",
   "hides": "in the last query of a sequence, so with one token per call",
   "look": "Hide key j from a query at position p when j > p.",
   "models": [
    {
     "mask": "none"
    },
    {
     "mask": "none_but_padding"
    }
   ]
  },
  {
   "id": "mask_strict",
   "step": "1.3",
   "title": "a query does not see its own key",
   "mechanism": "The comparison is j < p where it has to be j <= p.",
   "hides": "nowhere; the first query is left with nothing",
   "look": "A token attends to itself: the comparison includes equality.",
   "models": [
    {
     "mask": "strict"
    }
   ]
  },
  {
   "id": "mask_one_ahead",
   "step": "1.3",
   "title": "a query sees one key too many",
   "mechanism": "The comparison is j <= p + 1, so the next token leaks.",
   "hides": "in the last query of a sequence, so with one token per call",
   "look": "Count the visible keys of position 0 by hand: it is exactly one.",
   "models": [
    {
     "mask": "one_ahead"
    },
    {
     "mask": "one_ahead_of_token"
    }
   ]
  },
  {
   "id": "mask_reversed",
   "step": "1.3",
   "title": "the triangle of the mask is turned over",
   "mechanism": "A query sees its own key and the keys after it.",
   "hides": "in a sequence of one token",
   "look": "Rows are queries and columns are keys: the lower left is what is visible.",
   "models": [
    {
     "mask": "reversed"
    }
   ]
  },
  {
   "id": "mask_inverted",
   "step": "1.3",
   "title": "the mask hides what it should show",
   "mechanism": "True means 'masked' in one place and 'visible' in the other.",
   "hides": "nowhere; the last query is left with nothing",
   "look": "Decide what true means and use it at both places.",
   "models": [
    {
     "mask": "inverted"
    }
   ]
  },
  {
   "id": "mask_by_row_number",
   "step": "1.3",
   "title": "the mask counts rows of the call instead of using positions",
   "mechanism": "Row t sees keys 0 … t, whatever positions[t] says: right for a whole prompt, and on top of a past each query sees a few old keys only.",
   "hides": "whenever the queries start at position 0",
   "look": "Compare j with positions[t], not with t.",
   "models": [
    {
     "mask": "by_row_number"
    }
   ]
  },
  {
   "id": "mask_bottom_right",
   "step": "1.3",
   "title": "the mask is aligned to the last key instead of using positions",
   "mechanism": "Row t sees keys up to S - T + t: right for equal rows, wrong for padded and shuffled ones.",
   "hides": "whenever the last query sits at the last key",
   "look": "Compare j with positions[t]; S and T do not matter.",
   "models": [
    {
     "mask": "bottom_right"
    }
   ]
  },
  {
   "id": "mask_unsigned",
   "step": "1.3",
   "title": "positions are compared without a sign",
   "mechanism": "-1 becomes a huge number, so a query that sees nothing sees everything.",
   "hides": "while no slot is padded",
   "look": "Cast j to Position instead of casting the position to std::size_t.",
   "models": [
    {
     "mask": "unsigned_position"
    }
   ]
  },
  {
   "id": "mask_first_position",
   "step": "1.3",
   "title": "all queries are masked at the position of the first one",
   "mechanism": "positions[0] is used where positions[t] belongs.",
   "hides": "with one query per call",
   "look": "The position has to be read inside the loop over queries.",
   "models": [
    {
     "mask": "first_position"
    }
   ]
  },
  {
   "id": "position_zero_hidden",
   "step": "1.3",
   "title": "a query at position 0 sees nothing",
   "mechanism": "Position 0 is taken for padding, in a test such as p > 0 or !p.",
   "hides": "in every query but the first of a sequence",
   "look": "0 is the first token; only negative positions see nothing.",
   "models": [
    {
     "mask": "nothing_at_zero"
    }
   ]
  },
  {
   "id": "mask_only_square",
   "step": "1.3",
   "title": "the mask is applied only when there are as many queries as keys",
   "mechanism": "A chunk on top of a past is not masked at all.",
   "hides": "for a whole prompt, and for one token at the end of a past",
   "look": "The same comparison with absolute positions serves every case; there is no special one.",
   "models": [
    {
     "mask": "only_when_square"
    }
   ]
  },
  {
   "id": "mask_not_for_one_query",
   "step": "1.3",
   "title": "a single query is not masked",
   "mechanism": "A shortcut for decode takes all keys for visible, whatever the position.",
   "hides": "when a single query sits at the last key, as in plain decode",
   "look": "Leave the shortcut out: position p sees keys 0 … p.",
   "models": [
    {
     "mask": "not_for_one_query"
    }
   ]
  },
  {
   "id": "hidden_score_zero",
   "step": "1.3",
   "title": "hidden scores are set to 0",
   "mechanism": "exp(0) is 1, so a hidden key gets as much weight as one with a score of 0.",
   "hides": "with one token; when all values are equal",
   "look": "A hidden score has to be -infinity, so that its weight is exactly 0.",
   "models": [
    {
     "hidden_score": "zero"
    }
   ]
  },
  {
   "id": "mask_added_as_number",
   "step": "1.3",
   "title": "the boolean mask is added to the scores",
   "mechanism": "true and false count as 1 and 0, so visible keys get a small bonus and nothing is hidden.",
   "hides": "with one token",
   "look": "Replace the hidden scores, or add a mask of 0 and -infinity.",
   "models": [
    {
     "hidden_score": "one_less"
    }
   ]
  },
  {
   "id": "last_key_left_out",
   "step": "1.3",
   "title": "the last key is left out",
   "mechanism": "A loop or range over the S keys ends one too early.",
   "hides": "for every query that does not see the last key",
   "look": "The loop runs over j = 0 … S-1, both included.",
   "models": [
    {
     "mixing": "without_last_key"
    },
    {
     "mixing": "without_last_value"
    }
   ]
  },
  {
   "id": "first_key_left_out",
   "step": "1.3",
   "title": "key 0 is left out",
   "mechanism": "A loop or range over the keys starts at 1.",
   "hides": "nowhere; the query at position 0 is left with nothing",
   "look": "Every query sees key 0.",
   "models": [
    {
     "mixing": "without_first_key"
    },
    {
     "mixing": "without_first_value"
    }
   ]
  },
  {
   "id": "positions_of_first_row",
   "step": "1.4",
   "title": "every batch row uses the positions of row 0",
   "mechanism": "positions_of_row is asked for row 0, or outside the loop over rows.",
   "hides": "with one row, or while all rows hold and bring the same number of tokens",
   "look": "Positions are [B, T]: take row b of them.",
   "models": [
    {
     "positions_of": "first"
    }
   ]
  },
  {
   "id": "values_of_head_zero",
   "step": "1.4",
   "title": "keys come from the right head, values always from head 0",
   "mechanism": "kv.values(b, 0) is asked where the head's own index belongs.",
   "hides": "with one key/value head",
   "look": "Keys and values are asked for with the same head index.",
   "models": [
    {
     "value_head": "zero"
    }
   ]
  },
  {
   "id": "append_at_zero",
   "step": "2.1",
   "title": "new tokens always start at slot 0",
   "mechanism": "Every append overwrites the tokens before it.",
   "hides": "in the first call",
   "look": "The first free slot of row b is lengths_[b].",
   "models": [
    {
     "slot": "zero"
    }
   ]
  },
  {
   "id": "append_leaves_a_hole",
   "step": "2.1",
   "title": "new tokens are written too far behind the earlier ones",
   "mechanism": "The length is counted up before the write, or one is added: unwritten slots stay between.",
   "hides": "in the first call of some versions",
   "look": "Write first, behind lengths_[b]; then let the length grow.",
   "models": [
    {
     "slot": "one_further"
    },
    {
     "slot": "one_further_on_top_of_past"
    },
    {
     "slot": "behind_grown_length"
    }
   ]
  },
  {
   "id": "append_behind_first_row",
   "step": "2.1",
   "title": "every row is written behind the length of row 0",
   "mechanism": "lengths_[0] is used where lengths_[b] belongs.",
   "hides": "with one row in the batch, and in some versions while all rows hold the same number of tokens",
   "look": "Each row has a length of its own.",
   "models": [
    {
     "slot": "behind_first_row"
    },
    {
     "slot": "behind_grown_first_row"
    }
   ]
  },
  {
   "id": "append_behind_longest_row",
   "step": "2.1",
   "title": "every row is written behind the longest row",
   "mechanism": "The largest length is used where lengths_[b] belongs, so short rows get a hole.",
   "hides": "while all rows hold the same number of tokens",
   "look": "Each row has a length of its own.",
   "models": [
    {
     "slot": "behind_longest_row"
    }
   ]
  },
  {
   "id": "length_never_grows",
   "step": "2.1",
   "title": "lengths never grow",
   "mechanism": "The tokens are written, but nobody counts them: the next call overwrites them.",
   "hides": "nowhere: already the first call sees nothing",
   "look": "lengths_[b] += n_new[b], after the write.",
   "models": [
    {
     "growth": "nothing"
    }
   ]
  },
  {
   "id": "length_replaced",
   "step": "2.1",
   "title": "the length becomes the number of new tokens",
   "mechanism": "It is set where it has to grow: the earlier tokens are forgotten.",
   "hides": "in the first call",
   "look": "lengths_[b] += n_new[b], not =.",
   "models": [
    {
     "growth": "replaced"
    }
   ]
  },
  {
   "id": "length_of_first_row_only",
   "step": "2.1",
   "title": "only the length of row 0 grows",
   "mechanism": "The line stands outside the loop over rows, or uses index 0.",
   "hides": "with one row in the batch",
   "look": "lengths_[b] += n_new[b], for every b.",
   "models": [
    {
     "growth": "first_row_only"
    },
    {
     "growth": "all_in_first_row"
    }
   ]
  },
  {
   "id": "length_grows_by_first_count",
   "step": "2.1",
   "title": "every row grows by the tokens of row 0",
   "mechanism": "n_new[0] is used where n_new[b] belongs.",
   "hides": "while all rows bring the same number of tokens",
   "look": "lengths_[b] += n_new[b].",
   "models": [
    {
     "growth": "n_new_of_first_row"
    }
   ]
  },
  {
   "id": "append_broadcasts",
   "step": "2.1",
   "title": "every new slot gets the first new token",
   "mechanism": "A view assignment broadcasts: one row assigned to n slots fills all of them.",
   "hides": "with one token per call",
   "look": "Both sides of the assignment need n rows: xt::range(0, n) of the new tokens.",
   "models": [
    {
     "written": "first_token_everywhere"
    }
   ]
  },
  {
   "id": "append_last_slots",
   "step": "2.1",
   "title": "the last n slots are appended instead of the first n",
   "mechanism": "The real tokens of a row come first in its T slots; the rest is padding.",
   "hides": "while no slot is padded",
   "look": "Slots 0 … n_new[b]-1 of the call.",
   "models": [
    {
     "written": "last_slots"
    }
   ]
  },
  {
   "id": "positions_without_past",
   "step": "2.2",
   "title": "positions start at 0 in every call",
   "mechanism": "The past is not added, so new tokens are taken for the first ones: the mask is aligned top-left.",
   "hides": "in the first call",
   "look": "past[b] + t.",
   "models": [
    {
     "past": "none"
    }
   ]
  },
  {
   "id": "past_of_first_row",
   "step": "2.2",
   "title": "every row continues from the past of row 0",
   "mechanism": "past[0] is used where past[b] belongs.",
   "hides": "while all rows hold the same number of tokens",
   "look": "past[b] + t.",
   "models": [
    {
     "past": "first_row"
    }
   ]
  },
  {
   "id": "past_of_longest_row",
   "step": "2.2",
   "title": "every row continues from the past of the longest row",
   "mechanism": "The largest length is used where past[b] belongs.",
   "hides": "while all rows hold the same number of tokens, and in the longest row",
   "look": "past[b] + t.",
   "models": [
    {
     "past": "longest_row"
    }
   ]
  },
  {
   "id": "past_for_one_token_only",
   "step": "2.2",
   "title": "the past counts only when a single token comes",
   "mechanism": "A chunk of several tokens is taken for a prompt and starts at 0.",
   "hides": "for a prompt and then token by token",
   "look": "past[b] + t, for any q_len.",
   "models": [
    {
     "past": "only_for_one_token"
    }
   ]
  },
  {
   "id": "positions_one_more",
   "step": "2.2",
   "title": "positions are one too high",
   "mechanism": "1 is added, always or on top of a past: queries see one key too many.",
   "hides": "where no further key exists, as in the last token of a call",
   "look": "The first new token of a row that holds L tokens is at position L.",
   "models": [
    {
     "counting": "one_more"
    },
    {
     "counting": "one_more_on_top_of_past"
    }
   ]
  },
  {
   "id": "positions_one_less",
   "step": "2.2",
   "title": "positions are one too low",
   "mechanism": "1 is taken off, always or on top of a past: no query sees its own token.",
   "hides": "in the first call of some versions",
   "look": "The first new token of a row that holds L tokens is at position L.",
   "models": [
    {
     "counting": "one_less"
    },
    {
     "counting": "one_less_on_top_of_past"
    }
   ]
  },
  {
   "id": "positions_all_at_first",
   "step": "2.2",
   "title": "all new tokens are at the position of the first",
   "mechanism": "t is not added.",
   "hides": "with one token per call",
   "look": "past[b] + t.",
   "models": [
    {
     "counting": "all_at_first"
    }
   ]
  },
  {
   "id": "positions_all_at_last",
   "step": "2.2",
   "title": "all new tokens are at the position of the last",
   "mechanism": "past + T - 1 for every token: inside the chunk nothing is masked.",
   "hides": "with one token per call",
   "look": "past[b] + t.",
   "models": [
    {
     "counting": "all_at_last"
    }
   ]
  },
  {
   "id": "cached_mask_in_call",
   "step": "2.3",
   "title": "on top of a cache, the mask counts from the start of the call",
   "mechanism": "Query t of the call sees keys 0 … t of the cache: the mask is aligned top-left.",
   "hides": "in the first call",
   "look": "Use call_positions(cache.lengths(), T), taken before the append.",
   "models": [
    {
     "cached_mask": "in_call"
    }
   ]
  },
  {
   "id": "cached_mask_missing",
   "step": "2.3",
   "title": "with a cache there is no mask",
   "mechanism": "Every query of a call sees all keys up to the end of the call, as when its position is taken after the lengths have grown.",
   "hides": "with one token per call",
   "look": "Prompts and chunks need the mask too; take the positions before append.",
   "models": [
    {
     "cached_mask": "none"
    }
   ]
  },
  {
   "id": "cached_mask_missing_on_past",
   "step": "2.3",
   "title": "there is no mask once the cache holds tokens",
   "mechanism": "A shortcut for decode is taken for chunks as well: a chunk sees its own future.",
   "hides": "for a prompt, and with one token per call",
   "look": "The same comparison with absolute positions for every call.",
   "models": [
    {
     "cached_mask": "none_on_top_of_past"
    }
   ]
  },
  {
   "id": "cached_token_misses_itself",
   "step": "2.3",
   "title": "a single new token does not see itself",
   "mechanism": "Its key is left out of the comparison or of the range.",
   "hides": "for prompts and chunks",
   "look": "Append first, then attend to all live rows.",
   "models": [
    {
     "cached_mask": "strict_for_one_token"
    },
    {
     "cached_mask": "strict_for_one_token_on_top_of_past"
    }
   ]
  },
  {
   "id": "cached_mask_one_ahead",
   "step": "2.3",
   "title": "on top of a cache, a query sees one slot too many",
   "mechanism": "The comparison is j <= p + 1, or the position of the mask is one too high.",
   "hides": "where no further key exists, as in the last token of a call",
   "look": "The query at position p sees keys 0 … p.",
   "models": [
    {
     "cached_mask": "one_ahead"
    }
   ]
  },
  {
   "id": "cached_chunk_at_one_position",
   "step": "2.3",
   "title": "all queries of a chunk sit where its first token sits",
   "mechanism": "The past is used as the position of every new token.",
   "hides": "with one token per call",
   "look": "past[b] + t.",
   "models": [
    {
     "cached_mask": "chunk_at_first_position"
    }
   ]
  },
  {
   "id": "cached_mask_from_capacity",
   "step": "2.3",
   "title": "the mask is aligned to the end of the capacity",
   "mechanism": "The position is C - T + t, so later tokens or unwritten slots are visible.",
   "hides": "when the cache is exactly full",
   "look": "Positions depend on lengths, never on max_len().",
   "models": [
    {
     "cached_mask": "end_of_capacity",
     "slots": "all_masked"
    },
    {
     "cached_mask": "end_of_capacity"
    }
   ]
  },
  {
   "id": "unwritten_slots_attended",
   "step": "2.3",
   "title": "unwritten slots take part in the softmax",
   "mechanism": "Attention runs over the whole capacity; what was never written gets weight.",
   "hides": "when the cache is exactly full, in one version only with one token per call",
   "look": "cache.live() shows length(b) rows; the rest of the buffer is not yours to read.",
   "models": [
    {
     "slots": "all"
    },
    {
     "slots": "all_but_future"
    }
   ]
  },
  {
   "id": "unwritten_slots_masked",
   "step": "2.3",
   "title": "unwritten slots are read and then masked",
   "mechanism": "Their weight is 0, but 0 times NaN is NaN, and the work grows with the capacity.",
   "hides": "while unwritten slots hold finite numbers",
   "look": "Read the live rows only: cache.live().",
   "models": [
    {
     "slots": "all_masked"
    }
   ]
  },
  {
   "id": "read_before_append",
   "step": "2.3",
   "title": "the call attends to what the cache held before",
   "mechanism": "The live rows are taken before append, so the new tokens do not see themselves.",
   "hides": "in the first call of some versions",
   "look": "append first, then cache.live().",
   "models": [
    {
     "slots": "before_append"
    },
    {
     "slots": "before_append_on_top_of_past"
    }
   ]
  },
  {
   "id": "attends_to_this_call_only",
   "step": "2.3",
   "title": "the call attends to its own tokens only",
   "mechanism": "The projected k and v are used where the cache belongs: the past is forgotten.",
   "hides": "in the first call",
   "look": "attend(q, cache.live(), positions).",
   "models": [
    {
     "slots": "of_this_call"
    },
    {
     "cached_mask": "in_call",
     "slots": "of_this_call"
    }
   ]
  },
  {
   "id": "length_of_first_row_read",
   "step": "2.3",
   "title": "every row reads as many keys as row 0 holds",
   "mechanism": "cache.length(0) is used where cache.length(b) belongs.",
   "hides": "while all rows hold and bring the same number of tokens",
   "look": "kv.kv_len(b), or cache.live(), which knows every row's length.",
   "models": [
    {
     "slots": "length_of_first_row"
    }
   ]
  },
  {
   "id": "last_live_key_left_out",
   "step": "2.3",
   "title": "the last live key is left out",
   "mechanism": "The range ends at length - 1: the newest token is not seen.",
   "hides": "in the first call of some versions",
   "look": "length(b) rows are live: 0 … length(b)-1.",
   "models": [
    {
     "slots": "one_short"
    },
    {
     "slots": "one_short_on_top_of_past"
    }
   ]
  },
  {
   "id": "single_token_not_appended",
   "step": "2.3",
   "title": "a single token is not appended",
   "mechanism": "A decode path of its own forgets the append: the token does not see itself and is lost.",
   "hides": "for prompts and chunks",
   "look": "One path for every T: append, then attend.",
   "models": [
    {
     "appends": "nothing_for_one_token"
    }
   ]
  },
  {
   "id": "last_token_not_appended",
   "step": "2.3",
   "title": "the last token of a call is not appended",
   "mechanism": "The count is one short.",
   "hides": "in some versions with one token per call",
   "look": "Lengths(batch, T): all T tokens.",
   "models": [
    {
     "appends": "all_but_last"
    },
    {
     "appends": "all_but_last_of_chunk"
    }
   ]
  },
  {
   "id": "chunk_resets_cache",
   "step": "2.3",
   "title": "a chunk of several tokens empties the cache first",
   "mechanism": "Any call with T > 1 is taken for a new prompt.",
   "hides": "for a prompt and then token by token",
   "look": "Only reset starts a new sequence.",
   "models": [
    {
     "appends": "after_reset_for_chunk"
    }
   ]
  },
  {
   "id": "head_map_modulo",
   "step": "3.1",
   "title": "query head h reads key/value head h % Hkv",
   "mechanism": "Heads are tiled instead of grouped: 0, 1, 2, 0, 1, 2 where it should be 0, 0, 1, 1, 2, 2.",
   "hides": "in multi-head and in multi-query attention",
   "look": "Neighbours share a head: h / G with G = H / Hkv.",
   "models": [
    {
     "head_map": "modulo"
    }
   ]
  },
  {
   "id": "head_map_divides_by_kv",
   "step": "3.1",
   "title": "query head h reads key/value head h / Hkv",
   "mechanism": "The number of key/value heads is used where the size of a group belongs.",
   "hides": "whenever G equals Hkv, as in 4/2, 16/4 and 64/8",
   "look": "Divide by G = H / Hkv.",
   "models": [
    {
     "head_map": "divide_by_kv"
    }
   ]
  },
  {
   "id": "head_map_modulo_group",
   "step": "3.1",
   "title": "query head h reads key/value head h % G",
   "mechanism": "The remainder counts within the group; the quotient names the group.",
   "hides": "with a single query head only",
   "look": "h / G, not h % G.",
   "models": [
    {
     "head_map": "modulo_group"
    }
   ]
  },
  {
   "id": "head_map_direct",
   "step": "3.1",
   "title": "query head h reads key/value head h",
   "mechanism": "There are fewer key/value heads than query heads, so most indices do not exist.",
   "hides": "in multi-head attention",
   "look": "h / G.",
   "models": [
    {
     "head_map": "direct"
    }
   ]
  },
  {
   "id": "head_map_zero",
   "step": "3.1",
   "title": "all query heads read key/value head 0",
   "mechanism": "The index stays 0, often because of an integer division by H.",
   "hides": "in multi-query attention",
   "look": "h / G with G = H / Hkv.",
   "models": [
    {
     "head_map": "zero"
    }
   ]
  },
  {
   "id": "head_map_reversed",
   "step": "3.1",
   "title": "the groups are counted from the end",
   "mechanism": "The first query heads read the last key/value head.",
   "hides": "in multi-query attention",
   "look": "h / G, counted from 0.",
   "models": [
    {
     "head_map": "reversed"
    }
   ]
  },
  {
   "id": "head_map_one_off",
   "step": "3.1",
   "title": "groups begin one head too early",
   "mechanism": "(h + 1) / G: heads are counted from 1.",
   "hides": "nowhere; the last head reads beyond the end",
   "look": "Heads are counted from 0.",
   "models": [
    {
     "head_map": "one_off"
    }
   ]
  },
  {
   "id": "values_of_tiled_head",
   "step": "3.2",
   "title": "keys come from the right head, values from head h % Hkv",
   "mechanism": "Two different maps are used for keys and values.",
   "hides": "in multi-head and in multi-query attention",
   "look": "One variable for the key/value head, used for both.",
   "models": [
    {
     "value_head": "modulo"
    }
   ]
  },
  {
   "id": "stacked_rows_mixed_up",
   "step": "3.2",
   "title": "the stacked rows of a group get the positions of other rows",
   "mechanism": "The G·T rows are ordered head by head; row r sits at positions[r % T], not at positions[r / G].",
   "hides": "with one token per call, or with groups of one head",
   "look": "Tile the positions: T of them, G times over.",
   "models": [
    {
     "stacking": "tokens_then_heads"
    }
   ]
  },
  {
   "id": "stacked_rows_unmasked",
   "step": "3.2",
   "title": "only the first head of a group gets the positions",
   "mechanism": "They cover T of the G·T stacked rows; the rest see everything, or key 0 alone.",
   "hides": "with groups of one head",
   "look": "G·T positions: T of them, G times over.",
   "models": [
    {
     "stacking": "first_head_only"
    },
    {
     "stacking": "others_at_zero"
    }
   ]
  },
  {
   "id": "padding_gets_positions",
   "step": "3.3",
   "title": "padded slots get positions like tokens",
   "mechanism": "They see keys and give outputs that mean nothing; perhaps forward calls call_positions.",
   "hides": "while no slot is padded",
   "look": "sees_nothing for slots from n_new[b] on.",
   "models": [
    {
     "padding": "goes_on"
    },
    {
     "padding": "goes_on_in_forward"
    }
   ]
  },
  {
   "id": "padding_at_last_token",
   "step": "3.3",
   "title": "padded slots sit at the position of the last token",
   "mechanism": "They repeat the visibility of the last real token.",
   "hides": "while no slot is padded",
   "look": "sees_nothing for slots from n_new[b] on.",
   "models": [
    {
     "padding": "last_token"
    }
   ]
  },
  {
   "id": "padding_at_zero",
   "step": "3.3",
   "title": "padded slots sit at position 0",
   "mechanism": "0 is the first token; a padded slot there sees key 0.",
   "hides": "while no slot is padded",
   "look": "sees_nothing, which is -1.",
   "models": [
    {
     "padding": "zero"
    }
   ]
  },
  {
   "id": "one_padded_slot_counted",
   "step": "3.3",
   "title": "one padded slot of each row counts as a token",
   "mechanism": "The comparison is t <= n_new[b] where it has to be t < n_new[b].",
   "hides": "while no slot is padded",
   "look": "n_new[b] tokens: slots 0 … n_new[b]-1.",
   "models": [
    {
     "position_count": "one_more"
    }
   ]
  },
  {
   "id": "last_token_taken_for_padding",
   "step": "3.3",
   "title": "the last token of each row counts as padding",
   "mechanism": "The comparison stops one slot early.",
   "hides": "in rows that bring no token",
   "look": "n_new[b] tokens: slots 0 … n_new[b]-1.",
   "models": [
    {
     "position_count": "one_less"
    }
   ]
  },
  {
   "id": "count_of_first_row",
   "step": "3.3",
   "title": "every row uses the token count of row 0",
   "mechanism": "n_new[0] is used where n_new[b] belongs.",
   "hides": "while all rows bring the same number of tokens",
   "look": "n_new[b].",
   "models": [
    {
     "position_count": "first_row"
    },
    {
     "append_count": "first_row"
    },
    {
     "position_count": "first_row",
     "append_count": "first_row"
    }
   ]
  },
  {
   "id": "count_of_longest_row",
   "step": "3.3",
   "title": "every row uses the largest token count",
   "mechanism": "The largest n_new is used where n_new[b] belongs: padding enters the cache or gets outputs.",
   "hides": "while all rows bring the same number of tokens",
   "look": "n_new[b].",
   "models": [
    {
     "position_count": "largest"
    },
    {
     "append_count": "largest"
    },
    {
     "position_count": "largest",
     "append_count": "largest"
    }
   ]
  },
  {
   "id": "padding_in_front",
   "step": "3.3",
   "title": "padding is expected in front of the tokens",
   "mechanism": "The real tokens of a row come first in its T slots.",
   "hides": "while no slot is padded",
   "look": "Slots 0 … n_new[b]-1 hold tokens, the rest is padding.",
   "models": [
    {
     "alignment": "back"
    }
   ]
  },
  {
   "id": "positions_from_padded_end",
   "step": "3.3",
   "title": "positions are counted back from the padded end",
   "mechanism": "L + n - T + t aligns the last slot, padding or not, with the last key.",
   "hides": "while no slot is padded",
   "look": "past[b] + t for real tokens.",
   "models": [
    {
     "alignment": "bottom_right"
    }
   ]
  }
 ]
};
