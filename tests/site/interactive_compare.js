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

  // Decisions that change what queries see or read and that the scripts do not know, with the reason why not.
  const notShown = {
    'split': 'moves channels, tokens or rows about before attention', 'merge': 'the same behind it',
    'output_layout': 'the same behind it',
    'keys_of': 'reads another row, and a grid shows one row', 'written: first_row_everywhere': 'the same',
    'written: first_row_only': 'the same', 'written: with_stride_of_call': 'the same',
    'after_empty': 'depends on the rows before, and a grid shows one row',
    'mixing: keys': 'takes a key and its value apart, and a cell stands for both', 'mixing: swapped': 'the same',
    'mixing: transposed_weights': 'the same', 'written: swapped': 'the same', 'written: keys_only': 'the same',
    'written: values_at_zero': 'the same', 'slots: values_of_this_call': 'the same',
    'written: first_head_only': 'leaves slots of some heads unwritten, and slots are shown for all heads',
    'mixing: carried_over': 'adds up what several queries see',
    'shift': 'changes how much a key counts that is seen', 'denominator': 'the same', 'empty_row: nan': 'the same',
    'hidden_score: plus_infinity': 'the same',
    'finite_score': 'makes hidden keys count by a number; 0 is shown',
    'head_map: zero_without_groups': 'cannot be made where heads form groups, as they do at first on the page',
  };
  const excuses = new Set();

  const isExcused = (decisions) => {
    const names = Object.entries(decisions).flatMap(([name, choice]) => [name, `${name}: ${choice}`])
      .filter((name) => name in notShown);
    names.forEach((name) => excuses.add(name));
    return names.length > 0;
  };

  const differs = (made, right) => made !== 'impossible' && asText(made) !== asText(right);

  for (const {call, expected} of workbookCases.sights) {
    const [right] = expected;
    for (const {mistake, decisions, seen, heads} of expected) {
      if (workbookMasks.knows(decisions)) {
        expectEqual(seenBy(call, decisions), seen, {call, decisions});
        const reads = workbookMasks.headReads(call.n_heads, call.n_kv_heads, decisions);
        expectEqual(reads.map(({keys, values}) => [keys, values]), heads, {call, decisions});
        ++counts.sights;
      } else if ((differs(seen, right.seen) || differs(heads, right.heads)) && !isExcused(decisions)) {
        differences.push(`the scripts do not know ${asText(decisions)} of ${mistake}, which changes what is seen`);
      }
    }
  }
  const idle = Object.keys(notShown).filter((name) => !excuses.has(name));
  if (idle.length > 0) differences.push(`nothing has to be excused for: ${idle.join(', ')}`);

  const summary = `${counts.costs} costs, ${counts.sights} sights in ${workbookCases.sights.length} settings`;
  return differences.length === 0 ? `equal: ${summary}` :
    `different: ${differences.length} of ${summary}\n${differences.slice(0, 3).join('\n')}`;
};
