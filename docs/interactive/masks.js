// Which query sees which key and which head it reads, rightly or with a mistake. Pure functions, the same as the model in
// reference/mistakes, which a test compares them with.
//
// A call: {past, n_new: one number per row; q_len, max_len, n_heads, n_kv_heads, window: numbers, window 0 for none}.
// Decisions: {mask: "strict", …}, by the names of docs/interactive/decision_names.cpp; what is left out is right.
globalThis.workbookMasks = (() => {
  'use strict';

  const seesNothing = -1;

  // --- Positions of the new tokens ---

  function countOf(nNew, b, slots, choice) {
    switch (choice) {
      case 'first_row': return nNew[0];
      case 'largest': return Math.max(...nNew);
      case 'one_more': return Math.min(nNew[b] + 1, slots);
      case 'one_less': return Math.max(nNew[b] - 1, 0);
      default: return nNew[b];
    }
  }

  function beginOf(past, qLen, b, choice) {
    switch (choice) {
      case 'none': return 0;
      case 'first_row': return past[0];
      case 'longest_row': return Math.max(...past);
      case 'only_for_one_token': return qLen === 1 ? past[b] : 0;
      default: return past[b];
    }
  }

  function positionOf(begin, t, qLen, counting) {
    switch (counting) {
      case 'one_more': return begin + t + 1;
      case 'one_more_on_top_of_past': return begin + t + (begin > 0 ? 1 : 0);
      case 'one_less': return begin + t - 1;
      case 'one_less_on_top_of_past': return begin + t - (begin > 0 ? 1 : 0);
      case 'all_at_first': return begin;
      case 'all_at_last': return begin + qLen - 1;
      default: return begin + t;
    }
  }

  function paddedPosition(position, first, count, choice) {
    switch (choice) {
      case 'goes_on': return position;
      case 'last_token': return first + count - 1;
      case 'zero': return 0;
      default: return seesNothing;
    }
  }

  // [T] of row b, -1 for "sees nothing".
  function positionsOfRow(call, past, b, decisions) {
    const first = past[b];
    const count = Math.min(countOf(call.n_new, b, call.q_len, decisions.position_count), call.q_len);
    const begin = beginOf(past, call.q_len, b, decisions.past);
    return Array.from({length: call.q_len}, (_, t) => {
      const position = positionOf(begin, t, call.q_len, decisions.counting);
      if (decisions.padding === 'goes_on_in_forward') return position;
      const afterFirst = t + count - call.q_len;
      if (decisions.alignment === 'bottom_right') return Math.max(first + afterFirst, seesNothing);
      if (decisions.alignment === 'back') return afterFirst >= 0 ? first + afterFirst : seesNothing;
      return t < count ? position : paddedPosition(position, first, count, decisions.padding);
    });
  }

  // --- The cache: a slot holds the position of its token, or -1 - slot as long as nobody has written to it ---

  const isUnwritten = (held) => held < 0;

  function firstSlot(past, counts, b, choice) {
    switch (choice) {
      case 'zero': return 0;
      case 'one_further': return past[b] + 1;
      case 'one_further_on_top_of_past': return past[b] > 0 ? past[b] + 1 : 0;
      case 'behind_grown_length': return past[b] + counts[b];
      case 'behind_first_row': return past[0];
      case 'behind_grown_first_row': return b === 0 ? past[0] : past[0] + counts[0];
      case 'behind_longest_row': return Math.max(...past);
      default: return past[b];
    }
  }

  function grownBy(counts, b, choice) {
    switch (choice) {
      case 'nothing': return 0;
      case 'first_row_only': return b === 0 ? counts[b] : 0;
      case 'all_in_first_row': return b === 0 ? counts.reduce((total, count) => total + count, 0) : 0;
      case 'n_new_of_first_row': return counts[0];
      default: return counts[b];
    }
  }

  function append(cache, call, counts, decisions) {
    const past = [...cache.lengths];
    past.forEach((length, b) => {
      const slot = firstSlot(past, counts, b, decisions.slot);
      const skipped = decisions.written === 'last_slots' ? call.q_len - counts[b] : 0;
      for (let t = 0; t < counts[b]; ++t) {
        if (slot + t >= call.max_len) throw new RangeError('a token is written outside the slots of its row');
        const source = decisions.written === 'first_token_everywhere' ? 0 : skipped + t;
        cache.slots[b][slot + t] = call.past[b] + source;
      }
      cache.lengths[b] = (decisions.growth === 'replaced' ? 0 : length) + grownBy(counts, b, decisions.growth);
    });
  }

  function appendedCounts(call, decisions) {
    return call.n_new.map((_, b) => {
      const count = countOf(call.n_new, b, call.q_len, decisions.append_count);
      switch (decisions.appends) {
        case 'all_but_last': return Math.max(count - 1, 0);
        case 'all_but_last_of_chunk': return count > 1 ? count - 1 : count;
        case 'nothing_for_one_token': return call.q_len === 1 ? 0 : count;
        default: return count;
      }
    });
  }

  function readLength(cache, before, b, call, choice) {
    const length = cache.lengths[b];
    switch (choice) {
      case 'all': case 'all_masked': case 'all_but_future': return call.max_len;
      case 'before_append': return before[b];
      case 'before_append_on_top_of_past': return before[b] > 0 ? before[b] : length;
      case 'length_of_first_row': return cache.lengths[0];
      case 'one_short': return Math.max(length - 1, 0);
      case 'one_short_on_top_of_past': return before[b] > 0 && length > 0 ? length - 1 : length;
      default: return length;
    }
  }

  // What the rows are taken to hold before the call.
  function lengthsBefore(call, decisions) {
    const emptied = decisions.appends === 'after_reset_for_chunk' && call.q_len > 1;
    return call.past.map((length) => (emptied ? 0 : length));
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
    const lengths = cache.lengths.map((_, b) => readLength(cache, before, b, call, decisions.slots));
    if (lengths.some((length) => length > call.max_len)) throw new RangeError('a length exceeds the capacity');
    if (decisions.slots === 'of_this_call') {
      const tokens = call.past.map((length) => Array.from({length: call.q_len}, (_, t) => length + t));
      return {slots: tokens, lengths: call.past.map(() => call.q_len), live: cache.lengths};
    }
    return {slots: cache.slots, lengths, live: cache.lengths};
  }

  // Every query sees the slots behind the live ones: as if they stood in front of them.
  function moveUnwrittenToFront(rows, taken) {
    rows.live.forEach((live, b) => {
      const unwritten = rows.slots[b].splice(live);
      rows.slots[b].unshift(...unwritten);
      taken[b] = taken[b].map((p) => (p < 0 ? p : p + unwritten.length));
    });
  }

  // --- The mask ---

  // Where the mask of a cached call takes a query to be.
  function cachedPosition(p, t, past, call, choice) {
    if (p < 0) return p;
    switch (choice) {
      case 'in_call': return t;
      case 'none': return past + call.q_len - 1;
      case 'none_on_top_of_past': return past > 0 ? past + call.q_len - 1 : p;
      case 'strict_for_one_token': return call.q_len === 1 ? p - 1 : p;
      case 'strict_for_one_token_on_top_of_past': return past > 0 && call.q_len === 1 ? p - 1 : p;
      case 'one_ahead': return p + 1;
      case 'chunk_at_first_position': return past;
      case 'end_of_capacity': return call.max_len - call.q_len + t;
      default: return p;
    }
  }

  function maskedPosition(head, t, mask) {
    switch (mask) {
      case 'by_row_number': return t;
      case 'bottom_right': return head.kvLen - head.qLen + t;
      case 'first_position': return head.positions[0];
      default: return head.positions[t];
    }
  }

  function isVisible(head, t, j, mask) {
    const p = maskedPosition(head, t, mask);
    if (head.window > 0 && j + head.window <= p) return false;  // the window has left the key behind
    switch (mask) {
      case 'none': return true;
      case 'none_but_padding': return p >= 0;
      case 'strict': return j < p;
      case 'one_ahead': return j <= p + 1;
      case 'one_ahead_of_token': return p >= 0 && j <= p + 1;
      case 'reversed': return j >= p;
      case 'inverted': return j > p;
      case 'unsigned_position': return p < 0 || j <= p;
      case 'only_when_square': return head.qLen !== head.kvLen || j <= p;
      case 'not_for_one_query': return head.qLen === 1 || j <= p;
      case 'nothing_at_zero': return p > 0 && j <= p;
      default: return j <= p;
    }
  }

  // Whether key j and its value count at all, whatever the mask.
  function takesPart(head, j, mixing) {
    const leftOut = {
      without_last_key: head.kvLen - 1, without_last_value: head.kvLen - 1, without_first_key: 0, without_first_value: 0,
    };
    return j !== leftOut[mixing];
  }

  // The mask when the G·T rows of a group are stacked in one matrix.
  function isVisibleStacked(head, member, t, j, mask, stacking) {
    const stacked = member * head.qLen + t;
    if (stacking === 'tokens_then_heads') return isVisible(head, Math.floor(stacked / head.groupSize), j, mask);
    if (stacking === 'first_head_only' && stacked >= head.qLen) return true;
    if (stacking === 'others_at_zero' && stacked >= head.qLen) return j === 0;
    return isVisible(head, t, j, mask);
  }

  // For each read slot whether its key counts.
  function countingKeys(head, member, t, mask, decisions) {
    const hiddenCounts = decisions.hidden_score === 'zero' || decisions.hidden_score === 'one_less';
    const counts = Array.from({length: head.kvLen}, (_, j) => takesPart(head, j, decisions.mixing) &&
      (hiddenCounts || isVisibleStacked(head, member, t, j, mask, decisions.stacking)));
    return decisions.empty_row === 'uniform' && !counts.includes(true) ? counts.fill(true) : counts;
  }

  // What one query does with C keys each: '.' does not count, '#' counts, '!' does not count but is multiplied by 0.
  // tokens: by the token's position; slots: slots nobody has written to.
  function sight(counts, slots, call, decisions) {
    const tokens = Array(call.max_len).fill('.');
    const unwritten = Array(call.max_len).fill('.');
    counts.forEach((count, j) => {
      if (!isUnwritten(slots[j])) {
        if (count) tokens[slots[j]] = '#';
      } else if (count || decisions.slots === 'all_masked') {
        unwritten[-1 - slots[j]] = count ? '#' : '!';
      }
    });
    return {tokens: tokens.join(''), slots: unwritten.join('')};
  }

  // [B][H][T] of {tokens, slots}. Throws a RangeError that says why the call cannot be made with the mistake.
  function sights(call, decisions = {}) {
    const before = lengthsBefore(call, decisions);
    const rows = rowsToRead(call, before, decisions);
    const mask = decisions.slots === 'all' ? 'none_but_padding' : decisions.mask;
    const taken = before.map((past, b) => positionsOfRow(call, before, b, decisions)
      .map((p, t) => cachedPosition(p, t, past, call, decisions.cached_mask)));
    if (decisions.slots === 'all_but_future') moveUnwrittenToFront(rows, taken);
    const groupSize = call.n_heads / call.n_kv_heads;
    return call.past.map((_, b) => {
      const head = {
        qLen: call.q_len, kvLen: rows.lengths[b], window: call.window, groupSize,
        positions: taken[decisions.positions_of === 'first' ? 0 : b],
      };
      return Array.from({length: call.n_heads}, (_h, h) => Array.from({length: call.q_len}, (_t, t) =>
        sight(countingKeys(head, h % groupSize, t, mask, decisions), rows.slots[b], call, decisions)));
    });
  }

  // Whether the cache holds behind the call what it should, as far as the next call will read it.
  function leavesCacheRight(call, decisions) {
    const right = cacheBehind(call, call.past, {});
    const made = cacheBehind(call, lengthsBefore(call, decisions), decisions);
    return right.lengths.every((length, b) => made.lengths[b] === length &&
      right.slots[b].slice(0, length).every((held, j) => made.slots[b][j] === held));
  }

  // --- Heads ---

  function keyHeadOf(h, nHeads, nKvHeads, choice) {
    const groupSize = nHeads / nKvHeads;
    switch (choice) {
      case 'modulo': return h % nKvHeads;
      case 'divide_by_kv': return Math.floor(h / nKvHeads);
      case 'modulo_group': return h % groupSize;
      case 'direct': return h;
      case 'zero': return 0;
      case 'reversed': return nKvHeads - 1 - Math.floor(h / groupSize);
      case 'one_off': return Math.floor((h + 1) / groupSize);
      default: return Math.floor(h / groupSize);
    }
  }

  // [H] of {keys, values}: the head that a query head reads keys from, which need not exist, and the one of its values.
  function headReads(nHeads, nKvHeads, decisions = {}) {
    return Array.from({length: nHeads}, (_, h) => {
      const keys = keyHeadOf(h, nHeads, nKvHeads, decisions.head_map);
      const values = decisions.value_head === 'zero' ? 0 :
        decisions.value_head === 'modulo' ? h % nKvHeads : Math.min(keys, nKvHeads - 1);
      return {keys, values};
    });
  }

  return {sights, leavesCacheRight, headReads};
})();
