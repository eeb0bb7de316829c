#!/usr/bin/env bash
# How long from saving part 2's file to its result, beside the obvious way to do it: the same file and its tests in one
# translation unit, without a precompiled header. Prints both and their ratio for each of three runs in turn.
# Usage: tests/app/shell/loop_time.sh (after ./workbook check and ./workbook test have built everything)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=$root/build/default
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$root/part2_kv_cache/solution.cpp" "$work/answer.cpp"
{
  echo "#include \"$work/answer.cpp\""
  for test in "$root"/tests/part2/*.cpp; do
    echo "#include \"$test\""
  done
} >"$work/one_file.cpp"

# What the build uses to compile a test and to link a graded program.
compile=$(ninja -C "$build" -t commands suite_2 | grep step_2_1 |
  sed -e 's/ -include [^ ]*//' -e 's/ -Winvalid-pch//' -e 's/ -MD .*//')
link=$(ninja -C "$build" -t commands submission_2.1 | tail -1)
objects=$(grep -o '[^ ]*suite_2[^ ]*\.o' <<<"$link")
for object in $objects; do
  link=${link//$object/}
done
link=$(sed "s# -o [^ ]*# $work/one_file.o -o $work/one_file#" <<<"$link")

seconds() {
  local start end
  start=$(date +%s.%N)
  "$@" >/dev/null
  end=$(date +%s.%N)
  awk "BEGIN { print $end - $start }"
}

edit_and_check() {
  echo "// edited" >>"$work/answer.cpp"
  "$root/workbook" check 2 --file "$work/answer.cpp"
}

one_file() {
  (cd "$build" && eval "$compile -c $work/one_file.cpp -o $work/one_file.o" && eval "$link")
  OPENBLAS_NUM_THREADS=1 "$work/one_file"
}

edit_and_check >/dev/null
for run in 1 2 3; do
  ours=$(seconds edit_and_check)
  theirs=$(seconds one_file)
  awk "BEGIN { printf \"run $run: check %.1f s, one file %.1f s, ratio %.2f\\n\", $ours, $theirs, $ours / $theirs }"
done
