#!/usr/bin/env bash
# `bench` measures, writes JSON, and finds what has to be so on any machine: streaming is no less exact than whole rows of
# scores, memory is the formula's and a constant, and concatenation copies the formula's bytes. No time is compared.
set -uo pipefail

root=$1
. "$root/tests/project/expect.sh"

expect 0 '(floor)' "$root/workbook" bench --quick
expect 2 'nonsense' "$root/workbook" bench --nonsense

"$root/workbook" bench --quick --json 2>/dev/null | awk '
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
finish
