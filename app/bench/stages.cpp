#include "app/bench/stages.hpp"

#include "follow_ups/streaming/fast/attend_fast.hpp"
#include "follow_ups/streaming/streaming.hpp"
#include "reference/concat_cache.hpp"

namespace workbook::bench {

namespace {

using Call = std::function<Tensor<4>(KVCache&)>;
constexpr std::size_t any_length = static_cast<std::size_t>(-1);

// Without a cache: every token so far is attended to again, the call's own are the last.
Call recompute(const Case& wanted, const Inputs& inputs) {
    const std::size_t tokens = wanted.kv_len();
    struct All {
        Tensor<4> q, k, v;
        Positions positions;
    };
    const auto join = [](const Tensor<4>& past, const Tensor<4>& of_call) {
        return Tensor<4>(xt::concatenate(xt::xtuple(past, of_call), 2));
    };
    const auto all = std::make_shared<All>(All{join(random_heads(wanted.n_heads, wanted.past, 6), inputs.q),
                                               join(inputs.past_k, inputs.k), join(inputs.past_v, inputs.v),
                                               call_positions({0}, tokens)});
    return [all, past = wanted.past](KVCache&) {
        const Tensor<4> out = attend_groups(all->q, KeyValues(all->k, all->v), all->positions);
        return Tensor<4>(xt::view(out, xt::all(), xt::all(), xt::range(past, out.shape(2))));
    };
}

// A cache that grows by concatenation, and is expanded to all query heads for the call.
Call concatenate(const Case& wanted, const Inputs& inputs) {
    const auto cache = std::make_shared<reference::CompactPair>(reference::CompactPair{inputs.past_k, inputs.past_v});
    return [&wanted, &inputs, cache](KVCache&) {
        const reference::ConcatStep step = reference::concat_and_expand(*cache, inputs.k, inputs.v, wanted.n_heads);
        return attend_heads(inputs.q, KeyValues(step.expanded.k, step.expanded.v),
                            call_positions({wanted.past}, wanted.q_len));
    };
}

// The positions of the call, and the new tokens in the cache.
Positions append(const Inputs& inputs, KVCache& cache) {
    Positions positions = call_positions(cache.lengths(), inputs.q.shape(2));
    cache.append(inputs.k, inputs.v, {inputs.q.shape(2)});
    return positions;
}

// A preallocated cache; every query head reads its key/value head on its own.
Call head_by_head(const Case& wanted, const Inputs& inputs) {
    return [&wanted, &inputs](KVCache& cache) {
        const Positions positions = append(inputs, cache);
        const KeyValues live = cache.live();
        Tensor<4> out(inputs.q.shape());
        for (std::size_t h = 0; h < wanted.n_heads; ++h) {
            const std::size_t g = kv_head_of(h, wanted.n_heads, wanted.n_kv_heads);
            xt::view(out, 0, h) = attend_head(view_heads(inputs.q, 0, h), live.keys(0, g), live.values(0, g),
                                              positions_of_row(positions, 0));
        }
        return out;
    };
}

Call one_pass_per_group(const Case& /*wanted*/, const Inputs& inputs) {
    return [&inputs](KVCache& cache) {
        const Positions positions = append(inputs, cache);
        return attend_groups(inputs.q, cache.live(), positions);
    };
}

// The follow-up's worked answer: a pass over tiles of keys with matmul.
Call streaming_worked(const Case& /*wanted*/, const Inputs& inputs) {
    return [&inputs](KVCache& cache) {
        const Positions positions = append(inputs, cache);
        return streaming::attend(inputs.q, cache.live(), positions);
    };
}

// The same with vector code and threads.
Call streaming_fast(const Case& /*wanted*/, const Inputs& inputs) {
    return [&inputs](KVCache& cache) {
        const Positions positions = append(inputs, cache);
        return streaming::attend_fast(inputs.q, cache.live(), positions);
    };
}

}  // namespace

const std::vector<Stage>& stages() {
    static const std::vector<Stage> all{
        {"no cache, all again", std::size_t{600} * 600, 7, false, recompute},
        {"concatenate and expand", any_length, 7, false, concatenate},
        {"cache, head by head", any_length, 25, true, head_by_head},
        {"one pass per group", any_length, 25, true, one_pass_per_group},
        {"streaming, worked", any_length, 25, false, streaming_worked},
        {"streaming", any_length, 25, false, streaming_fast},
    };
    return all;
}

}  // namespace workbook::bench
