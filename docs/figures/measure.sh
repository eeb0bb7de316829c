#!/usr/bin/env bash
# Measures anew what the costs page shows of ./workbook bench, and draws it. Run it on a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/../.."
measure() {
  local file=docs/figures/$1
  shift
  "$@" >build/measured.json
  mv build/measured.json "$file"
}
measure bench.json ./workbook bench --json
OMP_NUM_THREADS=2 measure bench-threads.json ./workbook bench --json
measure bench-native.json ./workbook bench --native --json
cmake --build build/default --target update-figures update-pages
