#!/usr/bin/env bash
# Ctrl-C during a check: exit code 130, nothing keeps running, and the next check works.
# Usage: interrupt_test.sh SOURCE_DIR
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
build=$root/build/default
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() {
  interrupt "$1" "$build/bin/workbook" check 3 --file "$work/answer.cpp"
}

sed 's/return query_head \/ group_size;/volatile bool on = true; while (on) {} return query_head \/ group_size;/' \
  "$root/part3_gqa/solution.cpp" >"$work/answer.cpp"
check "$build/bin/submission_3.1 --gtest_filter"

echo "// edited" >>"$work/answer.cpp"
check "(cc1plus|clang).*$build/graded/submission_3.cpp"

cp "$root/part3_gqa/solution.cpp" "$work/answer.cpp"
expect 0 'strong hire: everything passes' "$build/bin/workbook" check 3 --file "$work/answer.cpp"
finish
