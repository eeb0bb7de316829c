// What the explorer shows of a call: grids of what its queries see and read, rightly and with a mistake, and what they come to
// in words. A call and decisions: cached_call.js.
globalThis.workbookGrids = (() => {
  'use strict';
  const {element} = workbookWidgets;

  // --- Grids: a cell is {mark, kind, title} ---

  const marks = {
    seen: ['●', 'seen'], hidden: ['', 'hidden'], extra: ['+', 'wrongly seen'], missing: ['−', 'wrongly not seen'],
    garbage: ['?', 'an unwritten slot, read as if it held a token'], nan: ['!', 'an unwritten slot, multiplied by 0'],
    empty: ['', 'a slot that nobody has written to'],
  };
  const cell = (kind, what) => ({kind, mark: marks[kind][0], title: `${what}: ${marks[kind][1]}`});

  function grid(kind, caption, corner, columnHeads, rowHeads, cells) {
    return element('div', {class: 'wb-scroll wb-gridbox', tabindex: 0, role: 'region', 'aria-label': caption},
      element('table', {class: `wb-grid wb-${kind}`}, element('caption', {}, caption),
        element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, corner),
          columnHeads.map((text) => element('th', {scope: 'col'}, text)))),
        element('tbody', {}, cells.map((row, r) => element('tr', {}, element('th', {scope: 'row'}, rowHeads[r]),
          row.map((made) => element('td',
            {class: `wb-${made.kind}`, title: made.title, 'aria-label': made.title}, made.mark)))))));
  }

  // Kinds of the C cells of one query; with a right sight, differences from it.
  function kindsOf(sight, right, held) {
    return Array.from(sight.tokens, (mark, j) => {
      const seen = mark === '#';
      if (right !== null && sight.slots[j] === '#') return 'garbage';
      if (right !== null && sight.slots[j] === '!') return 'nan';
      if (right !== null && seen !== (right.tokens[j] === '#')) return seen ? 'extra' : 'missing';
      return seen ? 'seen' : j < held ? 'hidden' : 'empty';
    });
  }

  function maskGrid(caption, call, b, rowSights, rightSights) {
    const held = call.past[b] + call.n_new[b];
    const rowHeads = rowSights.map((_, t) =>
      (t < call.n_new[b] ? `t ${t}, position ${call.past[b] + t}` : `t ${t}, padding`));
    const cells = rowSights.map((sight, t) => kindsOf(sight, rightSights && rightSights[t], held)
      .map((kind, j) => cell(kind, `query ${t}, key ${j}`)));
    const keys = Array.from({length: call.max_len}, (_, j) => String(j));
    return grid('masks', caption, 'query \\ key', keys, rowHeads, cells);
  }

  function headGrid(caption, call, reads, right) {
    const isSplit = ({keys, values}) => keys < call.n_kv_heads && keys !== values;
    const split = reads.some(isSplit);
    const absent = reads.some(({keys}) => keys >= call.n_kv_heads);
    const columns = Array.from({length: call.n_kv_heads}, (_, g) => String(g)).concat(absent ? ['no such head'] : []);
    const cells = reads.map(({keys, values}, h) => columns.map((_, g) => {
      const read = Math.min(keys, call.n_kv_heads) === g;
      const wasRight = right !== null && right[h].keys === g;
      const kind = right === null ? (read ? 'seen' : 'hidden') :
        read ? (wasRight ? 'seen' : 'extra') : wasRight ? 'missing' : 'hidden';
      const made = cell(kind, `query head ${h}, key/value head ${g}`);
      if (!isSplit({keys, values}) || (g !== keys && g !== values)) return made;
      return {kind: g === right[h].keys ? 'seen' : 'extra', mark: g === keys ? 'K' : 'V',
        title: `query head ${h} reads ${g === keys ? 'keys' : 'values'} of head ${g}`};
    }));
    return grid('heads', split ? `${caption} (K keys, V values)` : caption, 'query \\ kv', columns,
      reads.map((_, h) => `head ${h}`), cells);
  }

  function legend(withMistake) {
    const kinds = withMistake ? ['seen', 'extra', 'missing', 'garbage', 'nan', 'empty'] : ['seen', 'empty'];
    return element('p', {class: 'wb-legend'}, kinds.map((kind) => element('span', {class: 'wb-legend-entry'},
      element('span', {class: `wb-swatch wb-${kind}`, 'aria-hidden': 'true'}, marks[kind][0]), ` ${marks[kind][1]}`)));
  }

  const pair = (isLong, ...boxes) => element('div', {class: `wb-pair${isLong ? ' wb-long' : ''}`}, boxes.filter(Boolean));

  // The sights, [B][H][T], or the reason why the call cannot be made.
  function sightsOf(call, decisions) {
    try {
      return workbookMasks.sights(call, decisions);
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  }

  const ofHead = (sights, head) => sights.map((heads) => heads[head]);

  function maskPair(call, b, right, wrong) {
    const caption = `Row ${b}, right: ${call.past[b]} held, ${call.n_new[b]} new`;
    return pair(call.max_len > 12, maskGrid(caption, call, b, right[b], null),
      wrong && maskGrid(`Row ${b}, with the mistake`, call, b, wrong[b], right[b]));
  }

  // --- What it comes to, in words ---

  const pairs = (count) => `${count} ${count === 1 ? 'pair of a query and a key is' : 'pairs of a query and a key are'}`;

  const times = (count) => (count === 1 ? 'once' : `${count} times`);

  // In words, what differs in what one query head sees. rows, rights: [B][T] sights.
  function differences(call, rows, rights) {
    const count = {extra: 0, missing: 0, garbage: 0, nan: 0};
    rows.forEach((row, b) => row.forEach((sight, t) => kindsOf(sight, rights[b][t], call.past[b] + call.n_new[b])
      .forEach((kind) => { if (kind in count) ++count[kind]; })));
    return [
      count.extra > 0 && `${pairs(count.extra)} wrongly seen`,
      count.missing > 0 && `${pairs(count.missing)} wrongly not seen`,
      count.garbage > 0 && `${times(count.garbage)} an unwritten slot is read as if it held a token`,
      count.nan > 0 && `${times(count.nan)} an unwritten slot is multiplied by 0, which lets NaN through`,
    ].filter(Boolean);
  }

  const named = (heads) => `query head${heads.length === 1 ? '' : 's'} ${heads.join(', ')}`;

  // When nothing differs in this call.
  function nothingShows(call, decisions) {
    if (!workbookMasks.leavesCacheRight(call, decisions)) {
      return 'In this call nothing shows; the cache is wrong afterwards, and so is the next call.';
    }
    if (call.n_new.every((count) => count === 0)) return 'This call brings no new token, and nothing shows.';
    const where = call.window > 0 ? 'With this window' : 'Here';
    return `${where} the mistake hides: every query head sees what it should and reads the right head.`;
  }

  // wrong: for each query head what differs in what it sees; wrongReads: heads that read a wrong head.
  function summaryOf(wrong, wrongReads, head, call, decisions) {
    const elsewhere = wrong.flatMap((found, h) => (found.length > 0 && h !== head ? [h] : []));
    const parts = [];
    if (wrong[head].length > 0) parts.push(`in query head ${head}, ${wrong[head].join(', ')}`);
    if (wrongReads.length > 0) {
      parts.push(`${named(wrongReads)} ${wrongReads.length === 1 ? 'reads' : 'read'} the wrong head`);
    }
    const sentences = [];
    if (wrong[head].length === 0 && elsewhere.length > 0) {
      sentences.push(`Query head ${head} sees what it should; look at ${named(elsewhere)}.`);
    }
    if (parts.length > 0) sentences.push(`With the mistake: ${parts.join('; ')}.`);
    return sentences.join(' ') || nothingShows(call, decisions);
  }

  // {boxes, words} for a query head of a call; decisions are null when there is no mistake.
  function shown(call, head, decisions) {
    const right = sightsOf(call, {});
    const rightReads = workbookMasks.headReads(call.n_heads, call.n_kv_heads);
    const made = decisions && sightsOf(call, decisions);
    const reads = decisions && workbookMasks.headReads(call.n_heads, call.n_kv_heads, decisions);
    const isMade = Array.isArray(made);
    const boxes = [
      element('h2', {}, 'Which query sees which key'), legend(decisions !== null),
      ...call.past.map((_, b) => maskPair(call, b, ofHead(right, head), isMade && ofHead(made, head))),
      element('h2', {}, 'Which query head reads which key/value head'),
      pair(false, headGrid(`Right: groups of ${call.n_heads / call.n_kv_heads}`, call, rightReads, null),
        decisions && headGrid('With the mistake', call, reads, rightReads)),
    ];
    if (decisions === null) return {boxes, words: 'The right masks and the right head map.'};
    if (!isMade) return {boxes, words: `With the mistake this call ends in an error: ${made}.`};
    const wrong = rightReads.map((_, h) => differences(call, ofHead(made, h), ofHead(right, h)));
    const wrongReads = rightReads.flatMap((expected, h) =>
      (expected.keys !== reads[h].keys || expected.values !== reads[h].values ? [h] : []));
    return {boxes, words: summaryOf(wrong, wrongReads, head, call, decisions)};
  }

  return {shown};
})();
