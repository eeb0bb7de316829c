#!/usr/bin/env bash
# `bench` measures, writes JSON, and finds what has to be so on any machine: streaming is no less exact than whole rows of
# scores, memory is the formula's and a constant, and concatenation copies the formula's bytes. No time is compared. And a
# learner's code may do what it likes. In the copy that learner_test.sh has left: bench_test.sh SOURCE_DIR COPY
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
enter_copy "$2"

expect 2 'nonsense' ./workbook bench --nonsense

# The table is printed beside the document.
./workbook bench --quick --json 2>build/bench_table | awk '
  { gsub(/[",]/, "") }
  $1 == "row:" { row = $2 }
  $1 == "error:" { error[row] = $2 }
  $1 == "error:" && row == "streaming" { cases += 1; inexact += $2 > 1.1 * error["one"] }
  $1 == "counted:" { counted = $2 }
  $1 == "formula:" && row == "room" { rooms += 1; more += counted < $2 || counted > $2 + 100000 }
  $1 == "formula:" && row != "room" { steps += 1; other += counted != $2 }
  END {
    print cases + 0, "cases,", rooms + 0, "caches,", steps + 0, "concatenations"
    print inexact + 0, "inexact,", more + 0, "take more,", other + 0, "copy other bytes"
    exit !(cases >= 4 && rooms && steps && !inexact && !more && !other)
  }' || { echo "FAILED: the JSON document says something else"; failures=1; }
expect 0 '(floor)' cat build/bench_table

# Parts 1 and 2 are not begun.
for part in $(part_folders); do
  cp build/bench/skeletons/$part/exercise.cpp $part/exercise.cpp
done
expect 1 'Your files are still empty' ./workbook bench --mine
# part_3 CODE: the worked part 3, of which attend_groups begins with that code
part_3() {
  awk -v code="$1" '{ print } /\[3.2 attend_groups\]/ && !done { print code; done = 1 }' part3_gqa/solution.cpp \
    >part3_gqa/exercise.cpp
}
part_3 'int broken ='
expect 1 'exercise.cpp:' ./workbook bench --mine
expect 1 'Your files do not compile.' ./workbook bench --mine
part_3 'if (q.shape(2) == 1) { volatile int* nowhere = nullptr; *nowhere = 1; }'
expect 1 'GQA decode, 8192 keys, one pass per group: your code crashed: Segmentation fault' ./workbook bench --mine --quick
part_3 'if (q.shape(2) == 1) { std::exit(0); }'
expect 1 'GQA decode, 8192 keys, one pass per group: your code ended the program' ./workbook bench --mine --quick

part_3 'std::puts("[printed");
  if (q.shape(2) == 512) { throw 7; }
  if (kv.kv_len(0) == 8192) { return Tensor<4>({1, 1, 1, 1}); }
  static bool nested = false;
  if (kv.kv_len(0) == 2048 && !nested) {
    nested = true;
    const Tensor<4> right = attend_groups(q, kv, positions);
    nested = false;
    return Tensor<4>(right * Scalar(1.01));
  }'
answer=$(./workbook bench --mine --quick --json 2>/dev/null)
code=$?
for text in '"files": "part1_mha/solution.cpp, part2_kv_cache/solution.cpp, part3_gqa/exercise.cpp"' '"worked_best": ' \
  '"problem": "threw something that is not a std::exception"' '"problem": "wrong: shape [1, 1, 1, 1], expected' \
  '"problem": "wrong: error 1e-02, rounding explains 2e-04"'; do
  expect 0 "$text" echo "$answer"
done
if [ $code -ne 1 ] || [[ $answer != '{'* || $answer == *printed* ]]; then
  printf 'FAILED: exit code %s and this document:\n%s\n' "$code" "$answer"
  failures=1
fi
part_3 ''
expect 0 'yours    worked' ./workbook bench --mine --quick
finish
