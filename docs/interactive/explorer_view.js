// The explorer: a call, and what masks.js says its queries see, rightly and with a mistake.
(() => {
  'use strict';
  const mount = document.getElementById('workbook-explorer');
  if (!mount) return;
  const {element, numberField, selectField, setOptions, readState, writeState, copyButton} = workbookWidgets;
  const {mistakes} = workbookData;
  const noMistake = 'none';

  const limits = {rows: [1, 4], q_len: [1, 8], max_len: [1, 24], n_heads: [1, 16], window: [0, 24]};
  const start = {
    mistake: 'mask_by_row_number', version: '1', past: '4,1', n_new: '3,2', q_len: '3', max_len: '8', n_heads: '4',
    n_kv_heads: '2', window: '0', head: '0',
  };

  // --- The form ---

  const mistakeField = selectField('wb-mistake', 'Mistake');
  const steps = [...new Set(mistakes.map(({step}) => step))];
  setOptions(mistakeField.control, [[noMistake, 'none: just the right one'], ...steps.map((step) => ({
    group: `Step ${step}`,
    options: mistakes.filter((mistake) => mistake.step === step).map(({id, title}) => [id, title]),
  }))], start.mistake);
  const versionField = selectField('wb-version', 'Its version');
  const fields = {
    rows: numberField('wb-rows', 'Rows B', ...limits.rows),
    q_len: numberField('wb-q_len', 'Slots in the call T', ...limits.q_len),
    max_len: numberField('wb-max_len', 'Capacity C', ...limits.max_len),
    window: numberField('wb-window', 'Window, 0 for none', ...limits.window),
    n_heads: numberField('wb-n_heads', 'Query heads H', ...limits.n_heads),
    n_kv_heads: selectField('wb-n_kv_heads', 'Key/value heads Hkv'),
    head: selectField('wb-head', 'Query head to look at'),
  };
  const rowFields = element('div', {class: 'wb-fields wb-rows'});
  const form = element('form', {class: 'wb-form', 'aria-label': 'The call and the mistake'},
    element('div', {class: 'wb-fields wb-wide'}, mistakeField.box, versionField.box),
    element('div', {class: 'wb-fields wb-load'}, Object.values(fields).map(({box}) => box)), rowFields);
  form.addEventListener('submit', (event) => event.preventDefault());
  const summary = element('p', {class: 'wb-summary', role: 'status', 'aria-live': 'polite'});
  const explanation = element('div', {class: 'wb-explanation'});
  const grids = element('div');
  mount.replaceChildren(form, summary, explanation, grids, copyButton());

  // --- The state: texts, as in the address ---

  const clamp = (text, low, high, otherwise) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number(otherwise);
    return Math.min(Math.max(number, low), high);
  };

  const numbers = (text, count, high) =>
    Array.from({length: count}, (_, b) => clamp(text.split(',')[b] || '', 0, high, 0));

  // A call that is possible, as near as can be to what the texts say.
  function callOf(state) {
    const q_len = clamp(state.q_len, ...limits.q_len, start.q_len);
    const rows = Math.min(Math.max(state.past.split(',').length, 1), limits.rows[1]);
    const past = numbers(state.past, rows, limits.max_len[1] - q_len);
    const n_new = numbers(state.n_new, rows, q_len);
    const max_len = clamp(state.max_len, Math.max(...past) + q_len, limits.max_len[1], start.max_len);
    const n_heads = clamp(state.n_heads, ...limits.n_heads, start.n_heads);
    const wanted = clamp(state.n_kv_heads, 1, n_heads, start.n_kv_heads);
    const n_kv_heads = n_heads % wanted === 0 ? wanted : 1;
    return {past, n_new, q_len, max_len, n_heads, n_kv_heads, window: clamp(state.window, ...limits.window, 0)};
  }

  const mistakeOf = (state) => mistakes.find(({id}) => id === state.mistake) || null;

  function normalised(state) {
    const call = callOf(state);
    const mistake = mistakeOf(state);
    return {
      mistake: mistake ? mistake.id : noMistake,
      version: String(mistake ? clamp(state.version, 1, mistake.models.length, 1) : 1),
      past: call.past.join(), n_new: call.n_new.join(),
      ...Object.fromEntries(['q_len', 'max_len', 'n_heads', 'n_kv_heads', 'window']
        .map((name) => [name, String(call[name])])),
      head: String(clamp(state.head, 0, call.n_heads - 1, 0)),
    };
  }

  // {mask: "none_but_padding"} as "mask: none but padding".
  const nameOf = (model) =>
    Object.entries(model).map(([decision, choice]) => `${decision}: ${choice}`.replaceAll('_', ' ')).join(', ');

  function fillForm(state) {
    const call = callOf(state);
    const mistake = mistakeOf(state);
    mistakeField.control.value = state.mistake;
    versionField.box.hidden = !mistake || mistake.models.length < 2;
    setOptions(versionField.control, (mistake ? mistake.models : []).map((model, i) => [String(i + 1), nameOf(model)]),
      state.version);
    const values = {...call, rows: call.past.length};
    for (const name of ['rows', 'q_len', 'max_len', 'n_heads', 'window']) fields[name].control.value = values[name];
    fields.max_len.control.min = Math.max(...call.past) + call.q_len;
    const heads = Array.from({length: call.n_heads}, (_, h) => h);
    setOptions(fields.n_kv_heads.control, heads.map((h) => h + 1).filter((count) => call.n_heads % count === 0)
      .map((count) => [String(count), String(count)]), state.n_kv_heads);
    setOptions(fields.head.control, heads.map((h) => [String(h), String(h)]), state.head);
    fillRows(call);
  }

  function fillRows(call) {
    if (rowFields.children.length !== 2 * call.past.length) {
      rowFields.replaceChildren(...call.past.flatMap((_, b) => [
        numberField(`wb-past-${b}`, `Row ${b}: past L`, 0, limits.max_len[1] - 1).box,
        numberField(`wb-new-${b}`, `Row ${b}: new tokens n`, 0, limits.q_len[1]).box]));
    }
    call.past.forEach((length, b) => {
      document.getElementById(`wb-past-${b}`).value = length;
      document.getElementById(`wb-new-${b}`).value = call.n_new[b];
      document.getElementById(`wb-new-${b}`).max = call.q_len;
    });
  }

  function formState() {
    const valueOf = (name) => fields[name].control.value;
    const shown = rowFields.children.length / 2;
    const rows = clamp(valueOf('rows'), ...limits.rows, shown);
    const ofRows = (kind, otherwise) => Array.from({length: rows}, (_, b) =>
      (b < shown ? document.getElementById(`wb-${kind}-${b}`).value : otherwise)).join();
    return {
      mistake: mistakeField.control.value, version: versionField.control.value || '1',
      past: ofRows('past', '2'), n_new: ofRows('new', '1'),
      ...Object.fromEntries(['q_len', 'max_len', 'n_heads', 'n_kv_heads', 'window', 'head']
        .map((name) => [name, valueOf(name)])),
    };
  }

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

  // --- What it comes to, in words ---

  const pairs = (count) => `${count} ${count === 1 ? 'pair of a query and a key is' : 'pairs of a query and a key are'}`;

  const times = (count) => (count === 1 ? 'once' : `${count} times`);

  function difference(call, rows, rights) {
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

  function summaryOf(mistake, maskDifferences, wrongHeads, head) {
    if (mistake === null) return 'The right masks and the right head map.';
    const parts = maskDifferences.length > 0 ? [`in query head ${head}, ${maskDifferences.join(', ')}`] : [];
    if (wrongHeads.length === 1) parts.push(`query head ${wrongHeads[0]} reads the wrong head`);
    if (wrongHeads.length > 1) parts.push(`query heads ${wrongHeads.join(', ')} read the wrong head`);
    return parts.length > 0 ? `With the mistake: ${parts.join('; ')}.` :
      `Here the mistake hides: query head ${head} sees what it should, and every query head reads the right head.`;
  }

  function explain(mistake) {
    explanation.hidden = mistake === null;
    if (mistake === null) return;
    const line = (name, text) => [element('dt', {}, name), element('dd', {}, text)];
    explanation.replaceChildren(
      element('p', {class: 'wb-title'}, `${mistake.title[0].toUpperCase()}${mistake.title.slice(1)}`),
      element('dl', {}, line('What happens', mistake.mechanism), line('It hides', mistake.hides),
        line('Where to look', mistake.look), line('Usually made in', `step ${mistake.step}`)));
  }

  function legend(withMistake) {
    const kinds = withMistake ? ['seen', 'extra', 'missing', 'garbage', 'nan', 'empty'] : ['seen', 'empty'];
    return element('p', {class: 'wb-legend'}, kinds.map((kind) => element('span', {class: 'wb-legend-entry'},
      element('span', {class: `wb-swatch wb-${kind}`, 'aria-hidden': 'true'}, marks[kind][0]), ` ${marks[kind][1]}`)));
  }

  const pair = (isLong, ...boxes) => element('div', {class: `wb-pair${isLong ? ' wb-long' : ''}`}, boxes.filter(Boolean));

  // The sights of a query head, or the reason why the call cannot be made.
  function sightsOf(call, decisions, head) {
    try {
      return workbookMasks.sights(call, decisions).map((heads) => heads[head]);
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  }

  function maskPair(call, b, right, wrong) {
    const caption = `Row ${b}, right: ${call.past[b]} held, ${call.n_new[b]} new`;
    return pair(call.max_len > 12, maskGrid(caption, call, b, right[b], null),
      Array.isArray(wrong) && maskGrid(`Row ${b}, with the mistake`, call, b, wrong[b], right[b]));
  }

  function showGrids(state, call, mistake, decisions) {
    const head = Number(state.head);
    const right = sightsOf(call, {}, head);
    const wrong = mistake && sightsOf(call, decisions, head);
    const rightReads = workbookMasks.headReads(call.n_heads, call.n_kv_heads);
    const wrongReads = workbookMasks.headReads(call.n_heads, call.n_kv_heads, decisions);
    const wrongHeads = rightReads.map((_, h) => h).filter((h) =>
      rightReads[h].keys !== wrongReads[h].keys || rightReads[h].values !== wrongReads[h].values);
    summary.textContent = typeof wrong === 'string' ? `With the mistake this call ends in an error: ${wrong}.` :
      summaryOf(mistake, mistake ? difference(call, wrong, right) : [], wrongHeads, head);
    grids.replaceChildren(
      element('h2', {}, 'Which query sees which key'), legend(mistake !== null),
      ...call.past.map((_, b) => maskPair(call, b, right, wrong)),
      element('h2', {}, 'Which query head reads which key/value head'),
      pair(false, headGrid(`Right: groups of ${call.n_heads / call.n_kv_heads}`, call, rightReads, null),
        mistake && headGrid('With the mistake', call, wrongReads, rightReads)));
  }

  function show(state) {
    const mistake = mistakeOf(state);
    fillForm(state);
    explain(mistake);
    showGrids(state, callOf(state), mistake, mistake ? mistake.models[Number(state.version) - 1] : {});
  }

  form.addEventListener('change', () => {
    const state = normalised(formState());
    writeState(state);
    show(state);
  });
  const restore = () => show(normalised({...start, ...readState()}));
  addEventListener('hashchange', restore);
  restore();
})();
