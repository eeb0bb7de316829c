// The calculator: a form, and what cost.js makes of it.
(() => {
  'use strict';
  const mount = document.getElementById('workbook-calculator');
  if (!mount) return;
  const {
    element, numberField, selectField, setOptions, fill, rawTextOf, textOf, markInvalid, table, grouped, inBinaryUnits,
    inDecimalUnits, counted, threeDigits, readState, writeState, copyButton,
  } = workbookWidgets;
  const {models} = workbookData;
  const ownModel = 'own';

  const extents = {
    n_layers: 'Layers', d_model: 'Width D', n_heads: 'Query heads H', n_kv_heads: 'Key/value heads Hkv',
    head_dim: 'Head width d', windowed_layers: 'Layers with a window', window: 'Window, tokens',
    parameters: 'Parameters', lookup_parameters: 'of them only looked up', bytes_per_element: 'Bytes an element',
  };
  const mayBeZero = new Set(['windowed_layers', 'window', 'parameters', 'lookup_parameters']);
  const loads = {batch: ['Rows B', 1, 32], context: ['Context, tokens', 0, 8192], n_new: ['New tokens', 0, 0]};
  const machines = {bandwidth: ['Bandwidth, GB/s', 3350], flops: ['Rate, TFLOP/s', 989], memory: ['Memory, GiB', 80]};

  const largestCount = 2n ** 64n - 1n;
  const [smallestRate, largestRate] = [1e-6, 1e9];

  // --- The form ---

  const modelField = selectField('wb-model', 'Model');
  setOptions(modelField.control, [...models.map(({name, title}) => [name, title]), [ownModel, 'your own']],
    models[0].name);
  const fields = {};
  for (const [name, label] of Object.entries(extents)) {
    fields[name] = numberField(`wb-${name}`, label, mayBeZero.has(name) ? 0 : 1, null);
  }
  for (const [name, [label, min]] of Object.entries(loads)) fields[name] = numberField(`wb-${name}`, label, min, null);
  for (const [name, [label]] of Object.entries(machines)) {
    fields[name] = numberField(`wb-${name}`, label, smallestRate, largestRate, 'any');
  }

  const boxes = (names) => names.map((name) => fields[name].box);
  const summary = element('p', {class: 'wb-summary', role: 'status', 'aria-live': 'polite'});
  const figures = element('div', {class: 'wb-figures'});
  const source = element('p', {class: 'wb-note'});
  const details = element('details', {}, element('summary', {}, 'The extents of the model'),
    element('div', {class: 'wb-fields'}, boxes(Object.keys(extents))), source);
  const form = element('form', {class: 'wb-form', 'aria-label': 'Model, load and machine'},
    element('div', {class: 'wb-fields wb-load'}, modelField.box, boxes(Object.keys(loads)),
      boxes(Object.keys(machines))), details);
  form.addEventListener('submit', (event) => event.preventDefault());
  mount.replaceChildren(form, summary, figures, copyButton(currentState));

  const presetOf = (name) => models.find((model) => model.name === name);

  function fillExtents(preset) {
    for (const name of Object.keys(extents)) fields[name].control.value = preset[name];
  }

  // --- Reading it ---

  const fault = (name, text, label = fields[name].label) => Object.assign(new Error(`${label}: ${text}`), {field: name});

  function wholeNumber(name, lowest) {
    const text = textOf(fields[name].control);
    if (!/^\d+$/.test(text) || BigInt(text) < lowest || BigInt(text) > largestCount) {
      throw fault(name, `a whole number from ${lowest} to 2^64 - 1 was expected, got ${text}`);
    }
    return BigInt(text);
  }

  function rate(name) {
    const text = textOf(fields[name].control);
    const number = Number(text);
    if (!(number >= smallestRate && number <= largestRate)) {
      throw fault(name, `a number from 1e-6 to 1e9 was expected, got ${text}`);
    }
    return number;
  }

  function readForm() {
    const model = {};
    for (const name of Object.keys(extents)) model[name] = wholeNumber(name, mayBeZero.has(name) ? 0n : 1n);
    if (model.n_heads % model.n_kv_heads !== 0n) {
      throw fault('n_kv_heads', `a divisor of H, ${model.n_heads}, was expected, got ${model.n_kv_heads}`);
    }
    if (model.windowed_layers > model.n_layers) {
      throw fault('windowed_layers', `at most ${model.n_layers} was expected, got ${model.windowed_layers}`);
    }
    if (model.windowed_layers > 0n && model.window === 0n) throw fault('window', 'at least 1 was expected, got 0');
    if (model.lookup_parameters > model.parameters) {
      throw fault('lookup_parameters', `at most ${model.parameters} was expected, got ${model.lookup_parameters}`,
        'Parameters only looked up');
    }
    const load = {};
    for (const [name, [, min]] of Object.entries(loads)) load[name] = wholeNumber(name, BigInt(min));
    if (load.context + load.n_new === 0n) throw fault('context', 'at least 1 was expected, or new ones, got 0');
    const rates = {};
    for (const name of Object.keys(machines)) rates[name] = rate(name);
    const machine = {
      bytes_per_second: rates.bandwidth * 1e9, flops_per_second: rates.flops * 1e12,
      memory_bytes: BigInt(Math.floor(rates.memory * 2 ** 30)),
    };
    return {model, load, machine};
  }

  // --- Showing the figures ---

  function bytesRow(what, bytes) {
    return [what, grouped(bytes), inBinaryUnits(bytes)];
  }

  function memoryTable({model, load, machine}, report) {
    return table('Memory', ['', 'bytes', ''], [
      bytesRow('cache, one token', report.kv_bytes_per_token),
      bytesRow(`cache, one row of ${counted(report.tokens, 'token')}`, report.row_bytes),
      bytesRow(`cache, ${counted(load.batch, 'row')}, reserved`, report.reserved_bytes),
      bytesRow(`the same repeated to ${grouped(model.n_heads)} query heads`, report.expanded_bytes),
      bytesRow('weights', report.weight_bytes),
      bytesRow('weights and cache', report.total_bytes),
      [`rows that fit in ${inBinaryUnits(machine.memory_bytes)}`, grouped(report.largest_batch), ''],
    ], 'wb-numbers');
  }

  const callRow = (what, call) => [what, inDecimalUnits(call.flops, 'FLOP'), inBinaryUnits(call.bytes),
    inDecimalUnits(call.seconds, 's'), call.bound_by_memory ? 'memory' : 'arithmetic'];

  function timeTable({load}, report) {
    const prefill = load.context > 0n ? [callRow(`prefill of ${counted(load.context, 'token')}`, report.prefill)] : [];
    return table('Time, at least', ['', 'operations', 'moved', 'time', 'bound by'], [
      ...prefill, callRow('decode, the last token', report.decode),
      callRow('the same without a cache', report.recompute),
    ], 'wb-numbers');
  }

  function generationTable({load}, report) {
    if (load.n_new === 0n) return null;
    return table(`Generating ${counted(load.n_new, 'token')} in ${counted(load.batch, 'row')}`, null, [
      ['tokens projected with a cache', grouped(report.projected_with_cache), ''],
      ['tokens projected without', grouped(report.projected_without_cache), ''],
      bytesRow('bytes copied if the cache were concatenated', report.copied_by_concatenation),
    ], 'wb-numbers');
  }

  const kindOf = (heads, kvHeads) => (kvHeads === heads ? 'MHA' : kvHeads === 1n ? 'MQA' : 'GQA');

  function headsTable({model, load, machine}) {
    const counts = [...new Set([model.n_heads, model.n_kv_heads, 1n])];
    return table('The same model with other key/value heads',
      ['', 'cache, one token', 'reserved', 'rows that fit', 'decode'], counts.map((heads) => {
        const report = workbookCost.report(workbookCost.withKvHeads(model, heads), load, machine);
        const mark = heads === model.n_kv_heads ? ', this model' : '';
        return [`${kindOf(model.n_heads, heads)}, ${counted(heads, 'head')}${mark}`,
          inBinaryUnits(report.kv_bytes_per_token), inBinaryUnits(report.reserved_bytes),
          grouped(report.largest_batch), inDecimalUnits(report.decode.seconds, 's')];
      }), 'wb-numbers');
  }

  function memoryBar({machine}, report) {
    const whole = Math.max(Number(machine.memory_bytes), Number(report.total_bytes));
    const part = (kind, bytes) =>
      element('span', {class: `wb-part wb-${kind}`, style: `width: ${100 * Number(bytes) / whole}%`});
    const fits = report.total_bytes <= machine.memory_bytes;
    const share = (bytes) => `${threeDigits(100 * Number(bytes) / Number(machine.memory_bytes))} %`;
    const text = `Weights take ${share(report.weight_bytes)} of the memory, the cache ` +
      `${share(report.reserved_bytes)}${fits ? '' : ': they do not fit'}.`;
    return element('div', {class: 'wb-barbox'},
      element('div', {class: `wb-bar${fits ? '' : ' wb-overfull'}`, role: 'img', 'aria-label': text},
        part('weights', report.weight_bytes), part('cache', report.reserved_bytes)),
      element('p', {class: 'wb-note'}, element('span', {class: 'wb-key wb-weights'}), ' weights ',
        element('span', {class: 'wb-key wb-cache'}), ' cache. ', text));
  }

  function summaryOf({load, machine}, report, title) {
    return `${title}, ${counted(load.batch, 'row')} of ${counted(report.tokens, 'token')}: the cache reserves ` +
      `${inBinaryUnits(report.reserved_bytes)}, a decode step moves ${inBinaryUnits(report.decode.bytes)} in at least ` +
      `${inDecimalUnits(report.decode.seconds, 's')}, and ${counted(report.largest_batch, 'row')} ` +
      `${report.largest_batch === 1n ? 'fits' : 'fit'} in ${inBinaryUnits(machine.memory_bytes)}.`;
  }

  function show() {
    const preset = presetOf(modelField.control.value);
    source.textContent = preset ? `${preset.source}, ${preset.year}.` : '';
    for (const {control} of Object.values(fields)) markInvalid(control, false);
    let input;
    let report;
    try {
      input = readForm();
      report = workbookCost.report(input.model, input.load, input.machine);
    } catch (error) {
      if (error.field in fields) markInvalid(fields[error.field].control, true);
      details.open = details.open || error.field in extents;
      figures.replaceChildren();
      summary.classList.add('wb-error');
      summary.textContent = error instanceof RangeError ?
        'Smaller numbers were expected: a count of bytes or operations passes 2^64 - 1.' : error.message;
      return;
    }
    summary.classList.remove('wb-error');
    const tooLong = preset && report.tokens > BigInt(preset.max_context) ?
      ` The model is made for ${counted(preset.max_context, 'token')} at most.` : '';
    const unknown = modelField.control.dataset.refused;
    const instead = unknown ? `Model: one of the list was expected, got ${unknown}; ${preset.title} is shown. ` : '';
    markInvalid(modelField.control, instead !== '');
    summary.textContent = instead + summaryOf(input, report, preset ? preset.title : 'Your model') + tooLong;
    const intensity = element('p', {class: 'wb-note'}, 'Scores and mixing in decode: ' +
      `${threeDigits(report.decode_flops_per_cache_byte)} FLOPs for each byte read from the cache.`);
    figures.replaceChildren(...[memoryBar(input, report), memoryTable(input, report), timeTable(input, report), intensity,
      generationTable(input, report), headsTable(input)].filter(Boolean));
  }

  // --- The state ---

  function currentState() {
    const own = modelField.control.value === ownModel;
    const names = [...Object.keys(loads), ...Object.keys(machines),
      ...(own ? Object.keys(extents) : ['bytes_per_element'])];
    return {model: modelField.control.value,
      ...Object.fromEntries(names.map((name) => [name, rawTextOf(fields[name].control)]))};
  }

  function fillForm(state) {
    for (const [name, [, , start]] of Object.entries(loads)) fields[name].control.value = start;
    for (const [name, [, start]] of Object.entries(machines)) fields[name].control.value = start;
    const preset = presetOf(state.model);
    const isOwn = state.model === ownModel;
    fillExtents(preset || models[0]);
    fill(modelField.control, state.model || models[0].name);
    modelField.control.value ||= models[0].name;
    for (const [name, {control}] of Object.entries(fields)) {
      const isPublished = name in extents && name !== 'bytes_per_element' && !isOwn;
      if (name in state && !isPublished) fill(control, state[name]);
    }
    details.open = isOwn;
  }

  form.addEventListener('input', ({target}) => {
    delete target.dataset.refused;
    delete modelField.control.dataset.refused;
    if (target === modelField.control) {
      const preset = presetOf(target.value);
      if (preset) fillExtents(preset);
      details.open = details.open || !preset;
    } else if (Object.keys(extents).some((name) => name !== 'bytes_per_element' && fields[name].control === target)) {
      modelField.control.value = ownModel;
    }
    show();
    writeState(currentState());
  });

  // What the address holds. An ordinary anchor is none of our business.
  function restore() {
    const read = readState();
    if (read === null) return;
    fillForm(read);
    show();
    writeState(currentState());
  }
  addEventListener('hashchange', restore);
  fillForm({});
  show();
  restore();
})();
