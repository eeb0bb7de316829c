// Runs the pages' scripts on the settings of cases.js and compares them with what the C++ models give. Its result is a text
// that begins with "equal:" or "different:".
globalThis.compareWithModels = () => {
  'use strict';
  const counts = {costs: 0, sights: 0};
  const differences = [];

  const asBigInt = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, BigInt(text)]));
  const asText = (value) => JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member));

  const expectEqual = (actual, expected, setting) => {
    if (asText(actual) !== asText(expected)) {
      differences.push(`expected ${asText(expected)}\n  got ${asText(actual)}\n  for ${asText(setting)}`);
    }
  };

  const costs = (shape, load, machine) => {
    try {
      return workbookCost.report(shape, load, machine);
    } catch (error) {
      if (error instanceof RangeError) return 'too large';
      throw error;
    }
  };

  for (const {expected, ...setting} of workbookCases.costs) {
    const machine = {...setting.machine, memory_bytes: BigInt(setting.machine.memory_bytes)};
    expectEqual(costs(asBigInt(setting.shape), asBigInt(setting.load), machine), expected, setting);
    ++counts.costs;
  }

  const seenBy = (call, decisions) => {
    try {
      return workbookMasks.sights(call, decisions).flat(2).map(({tokens, slots}) => tokens + slots).join('');
    } catch (error) {
      if (error instanceof RangeError) return 'impossible';
      throw error;
    }
  };

  for (const {call, expected} of workbookCases.sights) {
    for (const {decisions, seen, heads} of expected) {
      expectEqual(seenBy(call, decisions), seen, {call, decisions});
      const reads = workbookMasks.headReads(call.n_heads, call.n_kv_heads, decisions);
      expectEqual(reads.map(({keys, values}) => [keys, values]), heads, {call, decisions});
      ++counts.sights;
    }
  }

  const summary = `${counts.costs} costs, ${counts.sights} sights in ${workbookCases.sights.length} settings`;
  return differences.length === 0 ? `equal: ${summary}` :
    `different: ${differences.length} of ${summary}\n${differences.slice(0, 3).join('\n')}`;
};
