// Which query sees which key and which head it reads, rightly or with a mistake. Pure functions, the same as the model in
// reference/mistakes, which a test compares them with. Calls and decisions: cached_call.js.
globalThis.workbookMasks = (() => {
  'use strict';

  const {chosen, positionsOfRow, isUnwritten, lengthsBefore, rowsToRead, leavesCacheRight} = workbookCachedCall;

  // --- What is known of each decision: the right choice first, then the wrong ones ---

  const choices = {
    ...workbookCachedCall.choices,
    // Which keys j a query at position p sees, and where a query is taken to be, if not at its own position.
    mask: {
      causal: {},
      none: {sees: () => true},
      none_but_padding: {sees: (j, p) => p >= 0},
      strict: {sees: (j, p) => j < p},
      one_ahead: {sees: (j, p) => j <= p + 1},
      one_ahead_of_token: {sees: (j, p) => p >= 0 && j <= p + 1},
      reversed: {sees: (j, p) => j >= p},
      inverted: {sees: (j, p) => j > p},
      by_row_number: {position: (head, t) => t},
      bottom_right: {position: (head, t) => head.kvLen - head.qLen + t},
      unsigned_position: {sees: (j, p) => p < 0 || j <= p},
      first_position: {position: (head) => head.positions[0]},
      only_when_square: {sees: (j, p, head) => head.qLen !== head.kvLen || j <= p},
      not_for_one_query: {sees: (j, p, head) => head.qLen === 1 || j <= p},
      nothing_at_zero: {sees: (j, p) => p > 0 && j <= p},
    },
    // Where the mask of a cached call takes token t at position p to be.
    cached_mask: {
      absolute: (p) => p,
      in_call: (p, t) => t,
      none: (p, t, past, call) => past + call.q_len - 1,
      none_on_top_of_past: (p, t, past, call) => (past > 0 ? past + call.q_len - 1 : p),
      strict_for_one_token: (p, t, past, call) => (call.q_len === 1 ? p - 1 : p),
      strict_for_one_token_on_top_of_past: (p, t, past, call) => (past > 0 && call.q_len === 1 ? p - 1 : p),
      one_ahead: (p) => p + 1,
      chunk_at_first_position: (p, t, past) => past,
      end_of_capacity: (p, t, past, call) => call.max_len - call.q_len + t,
    },
    // Whose positions row b has.
    positions_of: {own: (b) => b, first: () => 0},
    // Whether keys count that should be hidden.
    hidden_score: {minus_infinity: false, finite: true, one_less: true},
    // Whether all keys count for a query that sees none.
    empty_row: {zeros: false, uniform: true},
    // Which key does not count, or its value does not, whatever the mask.
    mixing: {
      values: () => null,
      without_last_key: (head) => head.kvLen - 1,
      without_last_value: (head) => head.kvLen - 1,
      without_first_key: () => 0,
      without_first_value: () => 0,
    },
    // What token t of a group's head number `member` sees, when the G·T rows of a group are stacked in one matrix.
    stacking: {
      heads_then_tokens: (sees, member, t, j) => sees(t, j),
      tokens_then_heads: (sees, member, t, j, head) =>
        sees(Math.floor((member * head.qLen + t) / head.groupSize), j),
      first_head_only: (sees, member, t, j) => member > 0 || sees(t, j),
      others_at_zero: (sees, member, t, j) => (member > 0 ? j === 0 : sees(t, j)),
    },
    // The key/value head of query head h.
    head_map: {
      group: (h, nKvHeads, groupSize) => Math.floor(h / groupSize),
      modulo: (h, nKvHeads) => h % nKvHeads,
      divide_by_kv: (h, nKvHeads) => Math.floor(h / nKvHeads),
      modulo_group: (h, nKvHeads, groupSize) => h % groupSize,
      direct: (h) => h,
      zero: () => 0,
      reversed: (h, nKvHeads, groupSize) => nKvHeads - 1 - Math.floor(h / groupSize),
      one_off: (h, nKvHeads, groupSize) => Math.floor((h + 1) / groupSize),
    },
    // The head of its values; one that does not exist is taken for the last.
    value_head: {
      same: (keys, h, nKvHeads) => Math.min(keys, nKvHeads - 1),
      zero: () => 0,
      modulo: (keys, h, nKvHeads) => h % nKvHeads,
    },
  };

  const choose = (decisions, name) => chosen(choices, decisions, name);

  // Whether all of the decisions are known here.
  const knows = (decisions) =>
    Object.entries(decisions).every(([name, choice]) => name in choices && choice in choices[name]);

  // The mistakes of which some version is known, with these versions.
  const known = (mistakes) => mistakes.map((mistake) => ({...mistake, models: mistake.models.filter(knows)}))
    .filter(({models}) => models.length > 0);

  // --- Sights ---

  // Every query sees the slots behind the live ones: as if they stood in front of them.
  function moveUnwrittenToFront(rows, taken) {
    rows.live.forEach((live, b) => {
      const unwritten = rows.slots[b].splice(live);
      rows.slots[b].unshift(...unwritten);
      taken[b] = taken[b].map((p) => (p < 0 ? p : p + unwritten.length));
    });
  }

  // Where the queries of row b are taken to be.
  function takenPositions(call, before, b, decisions) {
    return positionsOfRow(call, before, b, decisions)
      .map((p, t) => (p < 0 ? p : choose(decisions, 'cached_mask')(p, t, before[b], call)));
  }

  function isVisible(head, t, j, {sees = (key, p) => key <= p, position = () => head.positions[t]}) {
    const p = position(head, t);
    const isLeftBehind = head.window > 0 && j + head.window <= p;
    return !isLeftBehind && sees(j, p, head);
  }

  // For each read slot whether its key counts.
  function countingKeys(head, member, t, mask, decisions) {
    const sees = (row, j) => isVisible(head, row, j, mask);
    const leftOut = choose(decisions, 'mixing')(head);
    const counts = Array.from({length: head.kvLen}, (_, j) => j !== leftOut &&
      (choose(decisions, 'hidden_score') || choose(decisions, 'stacking')(sees, member, t, j, head)));
    return choose(decisions, 'empty_row') && !counts.includes(true) ? counts.fill(true) : counts;
  }

  // What one query does with C keys each: '.' does not count, '#' counts, '!' does not count but is multiplied by 0.
  // tokens: by the token's position; slots: slots nobody has written to.
  function sight(counts, slots, call, decisions) {
    const tokens = Array(call.max_len).fill('.');
    const unwritten = Array(call.max_len).fill('.');
    counts.forEach((count, j) => {
      if (!isUnwritten(slots[j])) {
        if (count) tokens[slots[j]] = '#';
      } else if (count || choose(decisions, 'slots').multipliesUnwritten) {
        unwritten[-1 - slots[j]] = count ? '#' : '!';
      }
    });
    return {tokens: tokens.join(''), slots: unwritten.join('')};
  }

  // [B][H][T] of {tokens, slots}. Throws a RangeError that says why the call cannot be made with the mistake.
  function sights(call, decisions = {}) {
    const before = lengthsBefore(call, decisions);
    const rows = rowsToRead(call, before, decisions);
    const {losesMask, seesUnwritten} = choose(decisions, 'slots');
    const mask = losesMask ? choices.mask.none_but_padding : choose(decisions, 'mask');
    const taken = before.map((_, b) => takenPositions(call, before, b, decisions));
    if (seesUnwritten) moveUnwrittenToFront(rows, taken);
    const groupSize = call.n_heads / call.n_kv_heads;
    return call.past.map((_, b) => {
      const head = {
        qLen: call.q_len, kvLen: rows.lengths[b], window: call.window, groupSize,
        positions: taken[choose(decisions, 'positions_of')(b)],
      };
      return Array.from({length: call.n_heads}, (_h, h) => Array.from({length: call.q_len}, (_t, t) =>
        sight(countingKeys(head, h % groupSize, t, mask, decisions), rows.slots[b], call, decisions)));
    });
  }

  // --- Heads ---

  // [H] of {keys, values}: the head that a query head reads keys from, which need not exist, and the one of its values.
  function headReads(nHeads, nKvHeads, decisions = {}) {
    return Array.from({length: nHeads}, (_, h) => {
      const keys = choose(decisions, 'head_map')(h, nKvHeads, nHeads / nKvHeads);
      return {keys, values: choose(decisions, 'value_head')(keys, h, nKvHeads)};
    });
  }

  return {known, knows, sights, leavesCacheRight, headReads};
})();
