#!/usr/bin/env bash
# The launcher as a user meets it: help, typing mistakes, exit codes, which files were graded.
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"

cd /
expect 0 './workbook check [PART|STEP|all]' "$root/workbook" help
expect 0 './workbook check [PART|STEP|all]' "$root/workbook" --help
expect 0 '--sanitize' "$root/workbook" check --help
expect 0 '--sanitize' "$root/workbook" help check
expect 0 '' lacks '--temperature' "$root/workbook" check --help
version=$(sed -n 's/^project(.* VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
expect 0 "attention workbook $version" "$root/workbook" --version
expect 0 "## $version" cat "$root/CHANGELOG.md"
expect 0 "by: attention workbook $version" "$root/workbook" check 2 --solution
expect 0 "\"workbook_version\": \"$version\"" "$root/workbook" check 2 --solution --json
expect 2 "There is no command 'chekc'" "$root/workbook" chekc
expect 2 'takes no arguments' "$root/workbook" test 1
expect 2 'takes no arguments' "$root/workbook" docs now
expect 2 '4' "$root/workbook" check 4
expect 2 '--all-mine' "$root/workbook" check 1 --all-mine --solution
expect 2 'say which' "$root/workbook" check --file "$root/part1_mha/solution.cpp"
expect 2 '/no/such/file.cpp' "$root/workbook" check 1 --file /no/such/file.cpp
expect 0 'graded: part2_kv_cache/solution.cpp' "$root/workbook" check 2 --solution
expect 0 'with: part1_mha/solution.cpp, part3_gqa/solution.cpp' "$root/workbook" check 2 --solution
expect 0 'strong hire: everything passes' "$root/workbook" check --solution
expect 0 '"schema_version": 2' "$root/workbook" check 2 --solution --json
expect 0 '{' sh -c "'$root/workbook' check 2 --solution --json 2>/dev/null | head -c 1"

expect 0 '34,359,738,368' "$root/workbook" cost llama-3.1-8b --batch 32 --context 8192
expect 0 '"reserved_bytes": 34359738368' "$root/workbook" cost llama-3.1-8b --batch 32 --context 8192 --json
expect 0 'gemma-2-9b' "$root/workbook" cost --list
expect 0 'Your model' "$root/workbook" cost --layers 1 --d-model 64 --heads 8 --kv-heads 2 --head-dim 8 --context 16
expect 2 'MODEL: one of these names was expected, got llama' "$root/workbook" cost llama
expect 2 '--batch: a whole number from 1 to 2^64 - 1 was expected, got -3' "$root/workbook" cost gpt-2 --batch -3
expect 2 '--bandwidth: a number from 1e-6 to 1e9 was expected, got fast' "$root/workbook" cost gpt-2 --bandwidth fast
expect 2 'needs --heads too' "$root/workbook" cost --layers 1 --d-model 64
expect 2 '--kv-heads: a divisor of --heads, 8, was expected, got 3' \
  "$root/workbook" cost --layers 1 --d-model 64 --heads 8 --kv-heads 3 --head-dim 8
expect 2 'passes 2^64 - 1' "$root/workbook" cost gpt-2 --batch 1000000000 --context 1000000000

finish
