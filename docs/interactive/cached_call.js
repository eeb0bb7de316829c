// A call on top of a cache, rightly or with a mistake: the positions of its tokens, what it appends and which slots it reads.
// Pure functions, the same as the model in reference/mistakes, which a test compares them with.
//
// A call: {past, n_new: one number per row; q_len, max_len, n_heads, n_kv_heads, window: numbers, window 0 for none}.
// Decisions: {slot: "zero", …}, by the names of reference/mistakes/models/decisions/decisions.hpp; what is left out is right.
globalThis.workbookCachedCall = (() => {
  'use strict';

  const seesNothing = -1;
  const largest = (numbers) => Math.max(...numbers);
  const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

  // --- What is known of each decision: the right choice first, then the wrong ones ---

  const countOfRow = {
    own: (nNew, b) => nNew[b],
    first_row: (nNew) => nNew[0],
    largest: (nNew) => largest(nNew),
    one_more: (nNew, b, slots) => Math.min(nNew[b] + 1, slots),
    one_less: (nNew, b) => Math.max(nNew[b] - 1, 0),
  };

  const choices = {
    position_count: countOfRow,
    append_count: countOfRow,
    // Where the new tokens of row b begin.
    past: {
      own: (past, b) => past[b],
      none: () => 0,
      first_row: (past) => past[0],
      longest_row: (past) => largest(past),
      all_rows: (past) => total(past),
      only_for_one_token: (past, b, qLen) => (qLen === 1 ? past[b] : 0),
    },
    // The position of token t.
    counting: {
      past_plus_t: (begin, t) => begin + t,
      one_more: (begin, t) => begin + t + 1,
      one_more_on_top_of_past: (begin, t) => begin + t + (begin > 0 ? 1 : 0),
      one_less: (begin, t) => begin + t - 1,
      one_less_on_top_of_past: (begin, t) => begin + t - (begin > 0 ? 1 : 0),
      all_at_first: (begin) => begin,
      all_at_last: (begin, t, qLen) => begin + qLen - 1,
    },
    // The position of a padded slot that would be at `position` as a token.
    padding: {
      sees_nothing: () => seesNothing,
      goes_on: (position) => position,
      goes_on_in_forward: (position) => position,
      last_token: (position, first, count) => first + count - 1,
      zero: () => 0,
    },
    // The position of slot t of a row that holds `first` tokens and adds `count`; `inFront` as it is with tokens first.
    alignment: {
      front: (inFront) => inFront,
      back: (inFront, first, afterFirst) => (afterFirst >= 0 ? first + afterFirst : seesNothing),
      bottom_right: (inFront, first, afterFirst) => Math.max(first + afterFirst, seesNothing),
    },
    // The first slot that row b writes to.
    slot: {
      behind_length: (past, counts, b) => past[b],
      zero: () => 0,
      one_further: (past, counts, b) => past[b] + 1,
      one_further_on_top_of_past: (past, counts, b) => (past[b] > 0 ? past[b] + 1 : 0),
      behind_grown_length: (past, counts, b) => past[b] + counts[b],
      behind_first_row: (past) => past[0],
      behind_grown_first_row: (past, counts, b) => (b === 0 ? past[0] : past[0] + counts[0]),
      behind_longest_row: (past) => largest(past),
    },
    // The length of row b afterwards.
    growth: {
      n_new: (length, counts, b) => length + counts[b],
      nothing: (length) => length,
      one: (length) => length + 1,
      first_row_only: (length, counts, b) => length + (b === 0 ? counts[b] : 0),
      all_in_first_row: (length, counts, b) => length + (b === 0 ? total(counts) : 0),
      n_new_of_first_row: (length, counts) => length + counts[0],
      replaced: (length, counts, b) => counts[b],
    },
    // Which slot of the call is written as token t of its row; null for none.
    written: {
      keys_and_values: (t) => t,
      first_token_everywhere: () => 0,
      last_slots: (t, qLen, count) => qLen - count + t,
      all_but_first_if_empty: (t, qLen, count, length) => (length === 0 && t === 0 ? null : t),
    },
    // How many tokens are appended, and whether the cache is emptied before.
    appends: {
      new_tokens: {count: (count) => count},
      nothing_for_one_token: {count: (count, qLen) => (qLen === 1 ? 0 : count)},
      all_but_last: {count: (count) => Math.max(count - 1, 0)},
      all_but_last_of_chunk: {count: (count) => (count > 1 ? count - 1 : count)},
      after_reset_for_chunk: {count: (count) => count, empties: (qLen) => qLen > 1},
    },
    // How many slots row b reads, and what else is different about them.
    slots: {
      live: {length: ({lengths}, b) => lengths[b]},
      all_masked: {length: ({maxLen}) => maxLen, multipliesUnwritten: true},
      all: {length: ({maxLen}) => maxLen, losesMask: true},
      all_but_future: {length: ({maxLen}) => maxLen, seesUnwritten: true},
      before_append: {length: ({before}, b) => before[b]},
      before_append_on_top_of_past: {length: ({before, lengths}, b) => before[b] || lengths[b]},
      of_this_call: {length: ({lengths}, b) => lengths[b], readsCall: true},
      length_of_first_row: {length: ({lengths}) => lengths[0]},
      length_of_longest_row: {length: ({lengths}) => largest(lengths), multipliesUnwritten: true},
      one_short: {length: ({lengths}, b) => Math.max(lengths[b] - 1, 0)},
      one_short_on_top_of_past: {
        length: ({before, lengths}, b) => (before[b] > 0 && lengths[b] > 0 ? lengths[b] - 1 : lengths[b]),
      },
    },
  };

  // What the decisions say about one of them.
  const chosen = (known, decisions, name) => known[name][decisions[name] ?? Object.keys(known[name])[0]];
  const choose = (decisions, name) => chosen(choices, decisions, name);

  // --- Positions ---

  // [T] of row b, -1 for "sees nothing".
  function positionsOfRow(call, past, b, decisions) {
    const first = past[b];
    const count = Math.min(choose(decisions, 'position_count')(call.n_new, b, call.q_len), call.q_len);
    const begin = choose(decisions, 'past')(past, b, call.q_len);
    return Array.from({length: call.q_len}, (_, t) => {
      const position = choose(decisions, 'counting')(begin, t, call.q_len);
      const inFront = t < count ? position : choose(decisions, 'padding')(position, first, count);
      return choose(decisions, 'alignment')(inFront, first, t + count - call.q_len);
    });
  }

  // --- The cache: a slot holds the position of its token, or -1 - slot as long as nobody has written to it ---

  const isUnwritten = (held) => held < 0;

  function append(cache, call, counts, decisions) {
    const past = [...cache.lengths];
    past.forEach((length, b) => {
      const slot = choose(decisions, 'slot')(past, counts, b);
      for (let t = 0; t < counts[b]; ++t) {
        if (slot + t >= call.max_len) throw new RangeError('a token is written outside the slots of its row');
        const source = choose(decisions, 'written')(t, call.q_len, counts[b], length);
        if (source !== null) cache.slots[b][slot + t] = call.past[b] + source;
      }
      cache.lengths[b] = choose(decisions, 'growth')(length, counts, b);
    });
  }

  function appendedCounts(call, decisions) {
    return call.n_new.map((_, b) => {
      const count = choose(decisions, 'append_count')(call.n_new, b, call.q_len);
      return choose(decisions, 'appends').count(count, call.q_len);
    });
  }

  // What the rows are taken to hold before the call.
  function lengthsBefore(call, decisions) {
    const {empties} = choose(decisions, 'appends');
    return call.past.map((length) => (empties?.(call.q_len) ? 0 : length));
  }

  // The cache behind the call: {slots, lengths}.
  function cacheBehind(call, before, decisions) {
    const cache = {
      slots: call.past.map((length) => Array.from({length: call.max_len}, (_, j) => (j < length ? j : -1 - j))),
      lengths: [...before],
    };
    append(cache, call, appendedCounts(call, decisions), decisions);
    return cache;
  }

  // The rows that the call attends to: {slots, lengths, live}, live being the lengths of the cache behind the call.
  function rowsToRead(call, before, decisions) {
    const cache = cacheBehind(call, before, decisions);
    const {length, readsCall} = choose(decisions, 'slots');
    const lengths = cache.lengths.map((_, b) => length({lengths: cache.lengths, before, maxLen: call.max_len}, b));
    if (lengths.some((read) => read > call.max_len)) throw new RangeError('a length exceeds the capacity');
    if (readsCall) {
      const tokens = call.past.map((held) => Array.from({length: call.q_len}, (_, t) => held + t));
      return {slots: tokens, lengths: call.past.map(() => call.q_len), live: cache.lengths};
    }
    return {slots: cache.slots, lengths, live: cache.lengths};
  }

  // Whether the cache holds behind the call what it should, as far as the next call will read it.
  function leavesCacheRight(call, decisions) {
    const right = cacheBehind(call, call.past, {});
    const made = cacheBehind(call, lengthsBefore(call, decisions), decisions);
    return right.lengths.every((length, b) => made.lengths[b] === length &&
      right.slots[b].slice(0, length).every((held, j) => made.slots[b][j] === held));
  }

  return {choices, chosen, positionsOfRow, isUnwritten, lengthsBefore, rowsToRead, leavesCacheRight};
})();
