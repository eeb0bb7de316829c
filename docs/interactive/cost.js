// What a model's attention costs. Pure functions, the same as reference/cost_model.cpp and reference/cost_report.cpp, which
// a test compares them with.
//
// Counts of bytes, tokens and operations are BigInt, because they pass 2^53; like the C++ model, a count that passes
// 2^64 - 1 is refused. Seconds and rates are numbers. Names are those of the C++ structs.
globalThis.workbookCost = (() => {
  'use strict';

  const largestCount = 2n ** 64n - 1n;

  function checked(count) {
    if (count > largestCount) throw new RangeError('a count passes 2^64 - 1');
    return count;
  }

  const sum = (left, right) => checked(left + right);
  const product = (...factors) => factors.reduce((result, factor) => checked(result * factor), 1n);
  const smaller = (left, right) => (left < right ? left : right);

  // --- The cache ---

  const kvBytesForHeads = (model, heads) => product(2n, heads, model.head_dim, model.bytes_per_element);

  const keptTokens = (model, tokens) => sum(
    product(model.n_layers - model.windowed_layers, tokens),
    product(model.windowed_layers, smaller(tokens, model.window)));

  const kvBytesPerToken = (model) => product(model.n_layers, kvBytesForHeads(model, model.n_kv_heads));
  const cacheBytes = (model, tokens) =>
    product(keptTokens(model, tokens), kvBytesForHeads(model, model.n_kv_heads));
  const expandedBytes = (model, tokens) =>
    product(keptTokens(model, tokens), kvBytesForHeads(model, model.n_heads));
  const reservedBytes = (model, batch, maxLen) => product(batch, cacheBytes(model, maxLen));
  const weightBytes = (model) => product(model.parameters, model.bytes_per_element);

  function largestBatch(model, maxLen, memoryBytes) {
    const weights = weightBytes(model);
    return memoryBytes <= weights ? 0n : (memoryBytes - weights) / cacheBytes(model, maxLen);
  }

  const tokensCopied = (steps) => (steps === 0n ? 0n : product(steps, steps - 1n) / 2n);
  const bytesCopied = (model, steps) => product(tokensCopied(steps), kvBytesPerToken(model));

  // --- Operations ---

  const pairs = (qLen, past) => sum(product(qLen, past), product(qLen, qLen + 1n) / 2n);

  function windowedPairs(qLen, past, window) {
    const growing = past < window ? smaller(qLen, window - past) : 0n;
    return sum(pairs(growing, past), product(qLen - growing, window));
  }

  const flopsOfPairs = (model, batch, count) => product(2n, 2n, batch, count, model.n_heads, model.head_dim);

  function allAttentionFlops(model, batch, qLen, past) {
    const windowed = flopsOfPairs(model, batch, windowedPairs(qLen, past, model.window));
    const full = flopsOfPairs(model, batch, pairs(qLen, past));
    return sum(product(model.n_layers - model.windowed_layers, full), product(model.windowed_layers, windowed));
  }

  const multipliedParameters = (model) => model.parameters - model.lookup_parameters;

  const modelFlops = (model, batch, qLen, past) => sum(
    product(2n, multipliedParameters(model), batch, qLen), allAttentionFlops(model, batch, qLen, past));

  const decodeFlopsPerCacheByte = (model) =>
    Number(allAttentionFlops(model, 1n, 1n, 1n)) / Number(cacheBytes(model, 2n));

  const callBytes = (model, batch, kvLen) => sum(
    product(multipliedParameters(model), model.bytes_per_element), reservedBytes(model, batch, kvLen));

  // --- Reports ---

  function withKvHeads(model, nKvHeads) {
    const perHead = product(2n, model.n_layers, model.d_model, model.head_dim);
    const others = model.parameters - smaller(model.parameters, product(perHead, model.n_kv_heads));
    return {...model, n_kv_heads: nKvHeads, parameters: sum(others, product(perHead, nKvHeads))};
  }

  function call(flops, bytes, machine) {
    const memory = Number(bytes) / machine.bytes_per_second;
    const arithmetic = Number(flops) / machine.flops_per_second;
    return {
      flops, bytes, memory_seconds: memory, arithmetic_seconds: arithmetic,
      seconds: Math.max(memory, arithmetic), bound_by_memory: memory >= arithmetic,
    };
  }

  const noCall = {
    flops: 0n, bytes: 0n, memory_seconds: 0, arithmetic_seconds: 0, seconds: 0, bound_by_memory: true,
  };

  const tokensProjectedAnew = (context, tokens) =>
    product(tokens, tokens + 1n) / 2n - product(context, context + 1n) / 2n;

  // Throws an Error that names what is wrong, in the words of the C++ model.
  function expectModel(model) {
    for (const name of ['n_layers', 'd_model', 'n_heads', 'n_kv_heads', 'head_dim', 'bytes_per_element']) {
      if (model[name] < 1n) throw new Error(`${name} must be at least 1, got ${model[name]}`);
    }
    if (model.n_heads % model.n_kv_heads !== 0n) {
      throw new Error(`n_kv_heads must divide n_heads, ${model.n_heads}, got ${model.n_kv_heads}`);
    }
    if (model.windowed_layers > model.n_layers) {
      throw new Error(`windowed_layers must be at most n_layers, ${model.n_layers}, got ${model.windowed_layers}`);
    }
    if (model.windowed_layers > 0n && model.window < 1n) throw new Error('window must be at least 1, got 0');
  }

  // load: {batch, context, n_new}; machine: {bytes_per_second, flops_per_second, memory_bytes}.
  function report(model, load, machine) {
    expectModel(model);
    if (load.batch < 1n) throw new Error('batch must be at least 1, got 0');
    const tokens = sum(load.context, load.n_new);
    if (tokens < 1n) throw new Error('context + n_new must be at least 1, got 0');
    const {batch, context} = load;
    return {
      tokens,
      kv_bytes_per_token: kvBytesPerToken(model),
      row_bytes: cacheBytes(model, tokens),
      reserved_bytes: reservedBytes(model, batch, tokens),
      expanded_bytes: product(batch, expandedBytes(model, tokens)),
      weight_bytes: weightBytes(model),
      total_bytes: sum(weightBytes(model), reservedBytes(model, batch, tokens)),
      largest_batch: largestBatch(model, tokens, machine.memory_bytes),
      prefill: context === 0n ? noCall :
        call(modelFlops(model, batch, context, 0n), callBytes(model, batch, context), machine),
      decode: call(modelFlops(model, batch, 1n, tokens - 1n), callBytes(model, batch, tokens), machine),
      recompute: call(modelFlops(model, batch, tokens, 0n), callBytes(model, batch, 0n), machine),
      projected_with_cache: product(batch, load.n_new),
      projected_without_cache: product(batch, tokensProjectedAnew(context, tokens)),
      copied_by_concatenation: product(batch, bytesCopied(model, tokens) - bytesCopied(model, context)),
      decode_flops_per_cache_byte: decodeFlopsPerCacheByte(model),
    };
  }

  // A model of interactive_data.js or of a form, with its extents as BigInt.
  const shapeOf = (model) => Object.fromEntries(
    ['n_layers', 'd_model', 'n_heads', 'n_kv_heads', 'head_dim', 'bytes_per_element', 'windowed_layers', 'window',
      'parameters', 'lookup_parameters'].map((name) => [name, BigInt(model[name])]));

  return {report, withKvHeads, shapeOf};
})();
