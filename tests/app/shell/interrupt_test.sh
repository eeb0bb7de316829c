#!/usr/bin/env bash
# Ctrl-C during a check: exit code 130, nothing keeps running, and the next check works.
# Usage: interrupt_test.sh SOURCE_DIR
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
build=$root/build/default
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The command as a shell with job control starts it: without that, a shell lets a background command ignore Ctrl-C.
interrupt() {
  local wait_for=$1 pid i code
  set -m
  "$build/bin/workbook" check 3 --file "$work/answer.cpp" >"$work/output" 2>&1 &
  pid=$!
  set +m
  for ((i = 0; i < 600; ++i)); do
    pgrep -f "$wait_for" >/dev/null && break
    sleep 0.1
  done
  kill -INT "$pid"
  wait "$pid"
  code=$?
  sleep 0.5
  if [ "$i" -eq 600 ] || [ "$code" -ne 130 ] || pgrep -f "$wait_for" >/dev/null; then
    echo "FAILED: interrupted at $wait_for: exit code $code, left running: $(pgrep -af "$wait_for")"
    cat "$work/output"
    failures=$((failures + 1))
  fi
}

sed 's/return query_head \/ group_size;/volatile bool on = true; while (on) {} return query_head \/ group_size;/' \
  "$root/part3_gqa/solution.cpp" >"$work/answer.cpp"
interrupt "$build/bin/submission_3.1 --gtest_filter"

echo "// edited" >>"$work/answer.cpp"
interrupt "cc1plus.*$build/graded/submission_3.cpp"

cp "$root/part3_gqa/solution.cpp" "$work/answer.cpp"
expect 0 'strong hire: everything passes' "$build/bin/workbook" check 3 --file "$work/answer.cpp"
finish
