// What the calculator and the explorer share: elements, labelled fields, tables, and a state that lives in the address.
globalThis.workbookWidgets = (() => {
  'use strict';

  // element('p', {class: 'note'}, 'text', child, …); properties that are null or false are left out.
  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value !== null && value !== false) made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  }

  // A labelled control: {box, control, label}. Options of a select are [value, text] or {group, options}.
  function field(id, label, control) {
    control.id = id;
    return {box: element('div', {class: 'wb-field'}, element('label', {for: id}, label), control), control, label};
  }

  const numberField = (id, label, min, max, step = 1) =>
    field(id, label, element('input', {type: 'number', inputmode: step === 1 ? 'numeric' : 'decimal', min, max, step}));

  function selectField(id, label) {
    return field(id, label, element('select'));
  }

  function setOptions(select, options, chosen) {
    const option = ([value, text]) => element('option', {value, selected: value === chosen}, text);
    select.replaceChildren(...options.map((entry) => (entry.group === undefined ? option(entry) :
      element('optgroup', {label: entry.group}, entry.options.map(option)))));
    select.value = chosen;
  }

  // Fills a control from the address. A number field drops what is no number; the control keeps it for the message.
  function fill(control, text) {
    control.value = text;
    control.dataset.refused = control.value === '' ? text : '';
  }

  const rawTextOf = (control) => control.value.trim() || control.dataset.refused || '';

  // What stands in a control, in words where it is no text at all.
  const textOf = (control) =>
    (control.validity.badInput ? 'something that is no number' : rawTextOf(control) || 'nothing');

  const markInvalid = (control, isInvalid) =>
    (isInvalid ? control.setAttribute('aria-invalid', 'true') : control.removeAttribute('aria-invalid'));

  // A table in a box that scrolls on its own. The first column heads its rows.
  function table(caption, heads, rows, className = '') {
    const head = heads === null ? null : element('thead', {}, element('tr', {},
      heads.map((text) => element('th', {scope: 'col'}, text))));
    const body = rows.map(([first, ...rest]) => element('tr', {},
      element('th', {scope: 'row'}, first), rest.map((cell) => element('td', {}, cell))));
    return element('div', {class: 'wb-scroll', tabindex: 0, role: 'region', 'aria-label': caption},
      element('table', {class: `wb-table ${className}`}, element('caption', {}, caption), head,
        element('tbody', {}, body)));
  }

  // --- Numbers as text ---

  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

  function threeDigits(value) {
    const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    const scale = 10 ** digits;
    const text = (Math.round(value * scale) / scale).toFixed(digits);  // halves up, as in the C++ model's texts
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  }

  function scaled(value, base, limit, units) {
    let unit = 0;
    while (value >= limit && unit + 1 < units.length) {
      value /= base;
      ++unit;
    }
    return `${threeDigits(value)} ${units[unit]}`;
  }

  const inBinaryUnits = (bytes) => scaled(Number(bytes), 1024, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']);
  const inDecimalUnits = (amount, unit) => scaled(Number(amount) * 1e9, 1000, 999.5,
    ['n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Z'].map((prefix) => prefix + unit));
  const counted = (count, noun) => `${grouped(count)} ${noun}${BigInt(count) === 1n ? '' : 's'}`;

  // --- The state in the address ---

  // The names and texts behind #; null when it is an ordinary anchor.
  function readState() {
    const text = location.hash.slice(1);
    return text !== '' && !text.includes('=') ? null : Object.fromEntries(new URLSearchParams(text));
  }

  const hashOf = (state) => `#${new URLSearchParams(state).toString().replaceAll('%2C', ',')}`;

  function writeState(state) {
    history.replaceState(null, '', hashOf(state));
  }

  // A button that copies the address of the shown case, whatever anchor the reader has followed since.
  function copyButton(shownState) {
    const button = element('button', {type: 'button', class: 'wb-button'}, 'Copy a link to this case');
    const say = (text) => {
      button.textContent = text;
      setTimeout(() => { button.textContent = 'Copy a link to this case'; }, 2500);
    };
    button.addEventListener('click', () => {
      writeState(shownState());
      navigator.clipboard.writeText(location.href).then(() => say('Copied'), () => say('Copy it from the address bar'));
    });
    return button;
  }

  return {
    element, numberField, selectField, setOptions, fill, rawTextOf, textOf, markInvalid, table, grouped, inBinaryUnits,
    inDecimalUnits, counted, threeDigits, readState, writeState, copyButton,
  };
})();
