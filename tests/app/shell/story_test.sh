#!/usr/bin/env bash
# ./workbook story as a learner meets it, in the copy that learner_test.sh has left: story_test.sh SOURCE_DIR COPY
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
enter_copy "$2"
rm -f stories260K.gguf  # a copy of a link still leads to somebody's model, and this test writes to that name
data=${WORKBOOK_DATA:-}
unset WORKBOOK_DATA
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for part in $(part_folders); do
  cp $part/solution.cpp $part/exercise.cpp
done
exercise=part3_gqa/exercise.cpp
variant() { sed "$1" tests/variants/part3_plain_loops.cpp >$exercise; }

# The model.
expect 2 'The model is not here yet' ./workbook story
expect 2 'tinyllamas/stories260K.gguf' ./workbook story
expect 2 '/no/such.gguf does not exist' ./workbook story --model /no/such.gguf
echo 'Once upon a time' >stories260K.gguf
expect 2 'its sha256 is' ./workbook story
mv stories260K.gguf "$work/other.gguf"
expect 2 'other.gguf: magic: is not "GGUF"' ./workbook story --model "$work/other.gguf"
cmake --build build/default --target write_tiny_models >/dev/null || exit 1
build/default/bin/write_tiny_models "$work"
tiny=$work/float16.gguf
head -c 9000 "$tiny" >"$work/short.gguf"
expect 2 'short.gguf: ' ./workbook story --model "$work/short.gguf"

# Options.
expect 2 '--tokens' ./workbook story --model "$tiny" --tokens 0
expect 2 'at most 31 was expected, got 32' ./workbook story --model "$tiny" --tokens 32
expect 2 'The prompt has 42 tokens' ./workbook story --model "$tiny" --tokens 1 --prompt "$(printf 'c%.0s' {1..40})"
expect 2 '--top-p requires --temperature' ./workbook story --model "$tiny" --top-p 0.5
expect 2 '--compare' ./workbook story --model "$tiny" --compare --solution
expect 2 '/no/such/prompts cannot be read' ./workbook story --model "$tiny" --batch /no/such/prompts

# A right file.
expect 0 'With part3_gqa/exercise.cpp and the worked parts 1 and 2:' ./workbook story --model "$tiny" --tokens 20
expect 0 'With part1_mha/exercise.cpp, part2_kv_cache/exercise.cpp and part3_gqa/exercise.cpp:' \
  ./workbook story --model "$tiny" --tokens 20 --all-mine
expect 0 'With the worked solutions:' ./workbook story --model "$tiny" --tokens 20 --solution
expect 0 'a second without a cache' ./workbook story --model "$tiny" --tokens 20 --no-cache
expect 0 'up to rounding' ./workbook story --model "$tiny" --tokens 20 --compare
expect 0 'up to rounding' ./workbook story --model "$tiny" --tokens 20 --compare --no-cache --prompt 'ab ab'
printf 'a\n\nab ab\n' >"$work/prompts"
expect 0 '--- 2 of 2' ./workbook story --model "$tiny" --tokens 5 --batch "$work/prompts"

# Files that are not right.
variant 's|h / group_size;|h % kv.n_kv_heads();|'
for cache in '' --no-cache; do
  # shellcheck disable=SC2086  # nothing or one word
  expect 1 'layer 0 of 2, position 0: query heads 1 and 2 of 4' ./workbook story --model "$tiny" --tokens 20 --compare $cache
  # shellcheck disable=SC2086
  expect 1 '(head_map_modulo)' ./workbook story --model "$tiny" --tokens 20 --compare $cache
done
sed "s/return output(projected.q, cache.live(), positions);/return merge_heads(attend(projected.q, cache.live(), positions));/" part3_gqa/solution.cpp >$exercise
expect 1 'every query head is right; the fault is' ./workbook story --model "$tiny" --tokens 20 --compare
cp build/default/skeletons/part3_gqa/exercise.cpp $exercise
expect 1 'The story stops: step 3.3' ./workbook story --model "$tiny" --tokens 20
echo 'int broken =' >>$exercise
expect 1 'part3_gqa/exercise.cpp:' ./workbook story --model "$tiny" --tokens 20
variant 's|Tensor<4> out({batch, n_heads, q_len, head_dim});|&\n    throw std::runtime_error("oh dear");|'
expect 1 'The story stops: attention of layer 0: oh dear' ./workbook story --model "$tiny" --tokens 20
variant 's|out(b, h, t, c) = sum;|out(b, h, t, c) = std::numeric_limits<Scalar>::quiet_NaN();|'
expect 1 'infinite or NaN' ./workbook story --model "$tiny" --tokens 20
expect 1 'layer 0 of 2, position 0: all 4 query heads' ./workbook story --model "$tiny" --tokens 20 --compare
variant 's|Tensor<4> out({batch, n_heads, q_len, head_dim});|&\n    volatile int* nowhere = nullptr; *nowhere = 1;|'
expect 1 'your code crashed: Segmentation fault' ./workbook story --model "$tiny" --tokens 20
variant 's|Tensor<4> out({batch, n_heads, q_len, head_dim});|&\n    std::exit(0);|'
expect 1 'Does your code call exit?' ./workbook story --model "$tiny" --tokens 20
expect 1 'Does your code call exit?' ./workbook story --model "$tiny" --tokens 20 --compare
variant 's|Tensor<4> out({batch, n_heads, q_len, head_dim});|&\n    if (q_len > 0) { throw 42; }|'
expect 1 'threw something that is not a std::exception' ./workbook story --model "$tiny" --tokens 20
deep='struct Deep { static int go(int n) { volatile int used[100] = {n}; return go(n + 1) + used[0]; } };'
variant "s|Tensor<4> out({batch, n_heads, q_len, head_dim});|&\n    $deep out(0, 0, 0, 0) = Deep::go(0);|"
expect 1 'The story stops: the stack is used up' ./workbook story --model "$tiny" --tokens 20
expect 0 '' sh -c "./workbook story --solution --model '$tiny' --tokens 20 2>'$work/errors' | head -n 1"
if [ -s "$work/errors" ]; then
  echo "FAILED: a story that nobody reads on says:"
  cat "$work/errors"
  failures=$((failures + 1))
fi
printf 'Tom\r\nLily\n' >"$work/windows.txt"
printf 'Tom\nLily\n' >"$work/lines.txt"
./workbook story --solution --model "$tiny" --tokens 8 --batch "$work/windows.txt" 2>&1 | head -n 6 >"$work/of_windows"
./workbook story --solution --model "$tiny" --tokens 8 --batch "$work/lines.txt" 2>&1 | head -n 6 >"$work/of_lines"
expect 0 '' cmp "$work/of_windows" "$work/of_lines"
endless='s|Tensor<4> out({batch, n_heads, q_len, head_dim});|&\n    volatile bool on = true; while (on) {}|'
variant "$endless"
expect 1 'did not end. An endless loop?' ./workbook story --model "$tiny" --tokens 20

interrupt "$PWD/build/default/bin/story_mine" build/default/bin/workbook story --model "$tiny" --tokens 20
expect 0 'interrupted' cat "$work/output"

# The published model.
published=270cba1bd5109f42d03350f60406024560464db173c0e387d91f0426d3bd256d
if [[ $(cmake -E sha256sum "$data/stories260K.gguf" 2>/dev/null) == $published* ]]; then
  cp part3_gqa/solution.cpp $exercise
  WORKBOOK_DATA=$data expect 0 "$(tail -n 1 "$data/stories260K.expected.txt")" ./workbook story --all-mine
  variant 's|h / group_size;|h % kv.n_kv_heads();|'
  WORKBOOK_DATA=$data expect 1 'layer 0 of 5, position 0: query heads 1, 2, 3, 4, 5 and 6 of 8' ./workbook story --compare
else
  echo "without the published stories260K.gguf, which WORKBOOK_DATA does not name"
fi
finish
