// The explorer: a form for a call and a mistake, and what explorer_grids.js shows of them.
(() => {
  'use strict';
  const mount = document.getElementById('workbook-explorer');
  if (!mount) return;
  const {
    element, numberField, selectField, setOptions, textOf, markInvalid, readState, writeState, copyButton,
  } = workbookWidgets;
  const mistakes = workbookMasks.known(workbookData.mistakes);
  const noMistake = 'none';

  // What the fields take, and what the page shows at first: texts, as in the address.
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
  const pastLabel = 'past L';
  const newLabel = 'new tokens n';
  const rowFields = element('div', {class: 'wb-fields wb-rows'});
  const form = element('form', {class: 'wb-form', 'aria-label': 'The call and the mistake'},
    element('div', {class: 'wb-fields wb-wide'}, mistakeField.box, versionField.box),
    element('div', {class: 'wb-fields wb-load'}, Object.values(fields).map(({box}) => box)), rowFields);
  form.addEventListener('submit', (event) => event.preventDefault());
  const summary = element('p', {class: 'wb-summary', role: 'status', 'aria-live': 'polite'});
  const explanation = element('div', {class: 'wb-explanation'});
  const grids = element('div');
  mount.replaceChildren(form, summary, explanation, grids, copyButton(() => shown));

  // --- The state: texts, as in the address ---

  let shown = start;

  const callOf = (state) => ({
    past: state.past.split(',').map(Number), n_new: state.n_new.split(',').map(Number),
    ...Object.fromEntries(['q_len', 'max_len', 'n_heads', 'n_kv_heads', 'window']
      .map((name) => [name, Number(state[name])])),
  });

  const mistakeOf = (state) => mistakes.find(({id}) => id === state.mistake) || null;

  const clamp = (number, low, high) => Math.min(Math.max(number, low), high);

  // Reads numbers and keeps the last good one, as near as can be, where a text is none: {number, faults}.
  function reader() {
    const faults = [];
    const expect = (isGood, id, label, expected, text, instead) => {
      if (!isGood) faults.push({id, text: `${label}: ${expected} was expected, got ${text}; ${instead} is shown.`});
      return isGood ? Number(text) : instead;
    };
    const number = (id, label, text, [low, high], last) =>
      expect(/^\d+$/.test(text) && Number(text) === clamp(Number(text), low, high), id, label,
        low === high ? `${low}` : `${low} to ${high}`, text, clamp(Number(last), low, high));
    return {faults, expect, number};
  }

  // The state that is wanted, or as much of it as is possible beside the last one: {state, faults}. Of wanted, past and
  // n_new are a text for each row.
  function possible(wanted, last) {
    const {faults, expect, number} = reader();
    const of = (name, range) => number(`wb-${name}`, fields[name].label, wanted[name], range, last[name]);
    const q_len = of('q_len', limits.q_len);
    const rows = number('wb-rows', fields.rows.label, wanted.rows, limits.rows, last.past.split(',').length);
    const ofRows = (kind, what, texts, high, lastOnes) => Array.from({length: rows}, (_, b) =>
      number(`wb-${kind}-${b}`, `Row ${b}: ${what}`, texts[b] || 'nothing', [0, high], lastOnes.split(',')[b] || 0));
    const past = ofRows('past', pastLabel, wanted.past, limits.max_len[1] - q_len, last.past);
    const n_new = ofRows('new', newLabel, wanted.n_new, q_len, last.n_new);
    const max_len = of('max_len', [Math.max(...past) + q_len, limits.max_len[1]]);
    const n_heads = of('n_heads', limits.n_heads);
    const divides = (text) => /^[1-9]\d*$/.test(text) && n_heads % Number(text) === 0;
    const n_kv_heads = expect(divides(wanted.n_kv_heads), 'wb-n_kv_heads', fields.n_kv_heads.label,
      `a divisor of ${n_heads}`, wanted.n_kv_heads, divides(last.n_kv_heads) ? last.n_kv_heads : 1);
    const mistake = mistakeOf(wanted);
    if (mistake === null && wanted.mistake !== noMistake) {
      const text = `Mistake: one of the list was expected, got ${wanted.mistake}; none is shown.`;
      faults.push({id: 'wb-mistake', text});
    }
    return {faults, state: Object.fromEntries(Object.entries({
      mistake: mistake ? mistake.id : noMistake,
      version: mistake ? number('wb-version', versionField.label, wanted.version, [1, mistake.models.length], 1) : 1,
      past: past.join(), n_new: n_new.join(), q_len, max_len, n_heads, n_kv_heads, window: of('window', limits.window),
      head: of('head', [0, n_heads - 1]),
    }).map(([name, value]) => [name, String(value)]))};
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
        numberField(`wb-past-${b}`, `Row ${b}: ${pastLabel}`, 0, limits.max_len[1] - 1).box,
        numberField(`wb-new-${b}`, `Row ${b}: ${newLabel}`, 0, limits.q_len[1]).box]));
    }
    call.past.forEach((length, b) => {
      document.getElementById(`wb-past-${b}`).value = length;
      document.getElementById(`wb-past-${b}`).max = limits.max_len[1] - call.q_len;
      document.getElementById(`wb-new-${b}`).value = call.n_new[b];
      document.getElementById(`wb-new-${b}`).max = call.q_len;
    });
  }

  // What the form asks for. A row that has just been added has no fields yet; another mistake starts with its first
  // version.
  function wantedByForm() {
    const rows = textOf(fields.rows.control);
    const ofRows = (kind, otherwise) => Array.from({length: limits.rows[1]}, (_, b) => {
      const control = document.getElementById(`wb-${kind}-${b}`);
      return control ? textOf(control) : otherwise;
    });
    return {
      rows, past: ofRows('past', '2'), n_new: ofRows('new', '1'), mistake: mistakeField.control.value,
      version: mistakeField.control.value === shown.mistake ? versionField.control.value || '1' : '1',
      ...Object.fromEntries(['q_len', 'max_len', 'n_heads', 'n_kv_heads', 'window', 'head']
        .map((name) => [name, textOf(fields[name].control)])),
    };
  }

  function wantedByAddress(read) {
    const state = {...start, ...read};
    const [past, n_new] = [state.past.split(','), state.n_new.split(',')];
    return {...Object.fromEntries(Object.entries(state).map(([name, text]) => [name, text || 'nothing'])), past, n_new,
      rows: String(past.length)};
  }

  // --- What is shown ---

  function explain(mistake) {
    explanation.hidden = mistake === null;
    if (mistake === null) return;
    const line = (name, text) => [element('dt', {}, name), element('dd', {}, text)];
    explanation.replaceChildren(
      element('p', {class: 'wb-title'}, `${mistake.title[0].toUpperCase()}${mistake.title.slice(1)}`),
      element('dl', {}, line('What happens', mistake.mechanism), line('It hides', mistake.hides),
        line('Where to look', mistake.look), line('Usually made in', `step ${mistake.step}`)));
  }

  function show({state, faults}) {
    shown = state;
    const mistake = mistakeOf(state);
    fillForm(state);
    for (const control of form.elements) markInvalid(control, faults.some(({id}) => id === control.id));
    explain(mistake);
    const decisions = mistake && mistake.models[Number(state.version) - 1];
    const {boxes, words} = workbookGrids.shown(callOf(state), Number(state.head), decisions);
    grids.replaceChildren(...boxes);
    summary.classList.toggle('wb-error', faults.length > 0);
    summary.textContent = [...faults.map(({text}) => text), words].join(' ');
  }

  form.addEventListener('change', () => {
    show(possible(wantedByForm(), shown));
    writeState(shown);
  });

  // What the address holds. An ordinary anchor is none of our business.
  function restore() {
    const read = readState();
    if (read === null) return;
    show(possible(wantedByAddress(read), start));
    writeState(shown);
  }
  addEventListener('hashchange', restore);
  show(possible(wantedByAddress({}), start));
  restore();
})();
