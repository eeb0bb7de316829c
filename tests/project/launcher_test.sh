#!/usr/bin/env bash
# The launcher as a user meets it: help, typing mistakes, exit codes, which files were graded.
set -uo pipefail

root=$1
. "$root/tests/project/expect.sh"

cd /
expect 0 './workbook check [PART|all]' "$root/workbook" help
expect 0 './workbook check [PART|all]' "$root/workbook" check --help
expect 0 './workbook check [PART|all]' "$root/workbook" --help
expect 2 "There is no command 'chekc'" "$root/workbook" chekc
expect 2 'takes no arguments' "$root/workbook" test 1
expect 2 '4' "$root/workbook" check 4
expect 2 '--all-mine' "$root/workbook" check 1 --all-mine --solution
expect 2 'say which' "$root/workbook" check --file "$root/part1_mha/solution.cpp"
expect 2 '/no/such/file.cpp' "$root/workbook" check 1 --file /no/such/file.cpp
expect 0 'graded: part2_kv_cache/solution.cpp' "$root/workbook" check 2 --solution
expect 0 'with: part1_mha/solution.cpp, part3_gqa/solution.cpp' "$root/workbook" check 2 --solution
expect 0 'strong hire: everything passes' "$root/workbook" check --solution
expect 0 '"schema_version": 1' "$root/workbook" check 2 --solution --json
expect 0 '{' sh -c "'$root/workbook' check 2 --solution --json 2>/dev/null | head -c 1"

finish
