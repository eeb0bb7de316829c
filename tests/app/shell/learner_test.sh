#!/usr/bin/env bash
# A copy of the project with exercises filled in: a learner's files on top of worked solutions, and on top of each other.
# Usage: learner_test.sh SOURCE_DIR COPY (a folder to make; it stays, for the tests that go on from here)
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
work=$2
rm -rf "$work"
mkdir -p "$work"
(cd "$root" && tar --exclude=./build --exclude=./.git --exclude=./.workbook -cf - .) | tar -xf - -C "$work"
cd "$work" || exit 1

# A build folder that came along with a copy is not used.
mkdir -p build/default
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere' >build/default/CMakeCache.txt

# Parts 2 and 3 are right, part 1 lacks the scale.
for part in $(part_folders); do
  cp $part/solution.cpp $part/exercise.cpp
done
rm -f follow_ups/*/exercise.cpp
grep -v 'scores /= std::sqrt' part1_mha/solution.cpp >part1_mha/exercise.cpp
expect 0 'was made for /elsewhere' ./workbook check 2
expect 0 'graded: part2_kv_cache/exercise.cpp' ./workbook check 2
expect 0 'with: worked solutions of the other parts' ./workbook check 2
expect 1 'with: part1_mha/exercise.cpp, part3_gqa/exercise.cpp' ./workbook check 2 --all-mine
expect 1 'FAILED CachedForward matches the uncached one for a whole prompt' ./workbook check 2 --all-mine
expect 1 'FAILED Forward matches the oracle' ./workbook check 1 --all-mine
# The README shows what is printed now.
sample=$(awk '/^  1.3  one head/ { shown = 1 } /^       \.\.\.$/ { shown = 0 } shown' README.md)
report=$(./workbook check 1 2>&1)
if [ "$(wc -l <<<"$sample")" -lt 15 ] || [[ $report != *"$sample"* ]]; then
  printf 'FAILED: the README shows\n%s\nbut ./workbook check 1 prints\n%s\n' "$sample" "$report"
  failures=$((failures + 1))
fi

# Parts 1 and 2 are right, part 3 is not begun.
cp part1_mha/solution.cpp part1_mha/exercise.cpp
cmake --build build/default --target skeleton_files >/dev/null || exit 1
cp build/default/skeletons/part3_gqa/exercise.cpp part3_gqa/exercise.cpp
# The first command has made what was missing.
expect 0 '' cmp build/default/skeletons/follow_ups/streaming/exercise.cpp follow_ups/streaming/exercise.cpp
expect 1 'Part 1, 100 of 100 points, strong hire' ./workbook check --all-mine
expect 1 'Part 2, 100 of 100 points, strong hire' ./workbook check --all-mine
expect 1 'Part 3, 0 of 100 points, not attempted' ./workbook check --all-mine

# With a file that does not build, it is named with its folder.
echo 'int broken =' >>part3_gqa/exercise.cpp
expect 1 'Next: fix part3_gqa/exercise.cpp' ./workbook check 1 --all-mine
expect 0 'strong hire: everything passes' ./workbook check 1
finish
