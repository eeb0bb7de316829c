#!/usr/bin/env bash
# Measures again what the pages on costs and on the story show, and draws it. Run it on a machine that does nothing else:
# docs/figures/measure.sh MODEL, where MODEL is stories260K.gguf.
set -euo pipefail
model=$(realpath "${1:?name the model: stories260K.gguf}")
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
cmake --preset bench-double >/dev/null
cmake --build build/bench-double --target measure_costs measure_story
export OPENBLAS_NUM_THREADS=1
build/bench-double/bin/measure_costs docs/figures/measured.json
build/bench-double/bin/measure_story "$model" docs/figures/measured_story.json
cmake --build build/default --target update-figures update-pages
