// Follow-up: streaming attention, in one step.
//
// exercise.cpp leaves the body of the step to you; solution.cpp is the same file with the worked body. streaming.hpp
// says what the function takes and returns; everything of parts 1 to 3 may be used. A first line expect_… is given: it
// refuses bad input. Helper functions of your own go into `namespace { … }`, so that they stay in this file. Stuck?
// hints.md has three hints.
#include "follow_ups/streaming/streaming.hpp"
#include "part1_mha/guards.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace workbook::streaming {

// Step streaming.1: attention over tiles of keys
//
// Give what attend_groups gives without ever storing a score for every key: walk over the keys and values of a head
// once, a tile of them at a time, and keep for each query a running maximum, a running sum and an output that is not
// divided yet. What a call allocates must not grow with the number of keys, and tiles that no query sees are skipped.

Tensor<4> attend(const Tensor<4>& q, const KeyValues& kv, const Positions& positions) {
    expect_groups_fit("streaming::attend", q, kv, positions);
    throw NotImplemented("streaming.1 attend");
}

}  // namespace workbook::streaming
