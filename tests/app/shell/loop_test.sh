#!/usr/bin/env bash
# The daily loop in a learner's checkout: where am I, hints, solutions, diff, reset, start.
# Usage: loop_test.sh SOURCE_DIR COPY (which learner_test.sh has made and built)
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
enter_copy "$2"

# A step that is a follow-up now is found from its old name, in whatever takes a part or a step.
for command in check watch list start diff reset hint solution; do
  expect 2 'Step 3.5 is now the follow-up streaming' ./workbook $command 3.5
done

empty=build/default/skeletons/part1_mha/exercise.cpp
mine=part1_mha/exercise.cpp
for part in $(part_folders); do
  cp build/default/skeletons/$part/exercise.cpp $part/exercise.cpp
done
rm -rf .workbook

# say ANSWER COMMAND…: the command with that line as its input.
say() {
  local answer=$1
  shift
  printf '%s\n' "$answer" | "$@"
}

# Nothing is done yet.
expect 0 '> Part 1  causal multi-head attention      0/100  not attempted  0 of 6 steps' ./workbook
expect 0 'fill in step 1.1 (split and merge heads)' ./workbook
expect 0 '3.4  what it costs                   0/' ./workbook list
expect 0 'not attempted' ./workbook list 2
expect 0 '' lacks 'Part 1' ./workbook list 2

# Hints come one by one and begin again.
expect 0 'Hint 1 of 3 for step 1.3' ./workbook hint 1.3
expect 0 'Hint 2 of 3 for step 1.3' ./workbook hint 1.3
expect 0 'Hint 3 of 3 for step 1.3' ./workbook hint 1.3
expect 0 'from the first again' ./workbook hint 1.3
expect 0 'Hint 1 of 3 for step 2.1' ./workbook hint 2.1
expect 0 'Hint 3 of 3 for step 1.3' ./workbook hint 1.3 3
expect 2 'NUMBER' ./workbook hint 1.3 4
expect 2 'There is no step 1.9. The steps are:' ./workbook hint 1.9
expect 2 '3.4  what it costs' ./workbook hint nonsense
expect 2 'There is no step 4.1' ./workbook solution 4.1

# A solution is shown to those who want to see it.
expect 0 'scores /= std::sqrt' ./workbook solution 1.3 --yes
expect 1 'Step 1.3 does not pass yet. Show its solution? [y/N]' ./workbook solution 1.3
expect 0 '' lacks 'scores /=' say n ./workbook solution 1.3
expect 0 'scores /= std::sqrt' say y ./workbook solution 1.3
expect 0 '' lacks '// [1.3' say y ./workbook solution 1.3

# Part 1 without the scale.
grep -v 'scores /= std::sqrt' part1_mha/solution.cpp >$mine
expect 0 '83/100  weak           5 of 6 steps' ./workbook
expect 0 'Next: fix step 1.3 (one head) in part1_mha/exercise.cpp.' ./workbook
expect 0 '1.3  one head                        7/24   4 of 9 tests' ./workbook list 1
expect 0 'AttendHead scales scores by the head width' ./workbook list 1.3
expect 0 'points, failed' ./workbook list 1.3
expect 0 '' lacks 'SoftmaxRows' ./workbook list 1.3
expect 0 "passed, first on $(date +%Y-)" ./workbook list 1
expect 0 "the layer" ./workbook solution 1.5
expect 1 '--verbose shows the messages' ./workbook check 1
expect 0 '' lacks '--verbose' ./workbook check 1 --verbose
expect 0 '' lacks $'\x1b' ./workbook check 1

# The same with steps that differ and pass, and one that does not pass.
sed -i.bak 's/const std::size_t head_dim = x.shape(2) \/ heads;/&  int unused = 1;/' $mine && rm $mine.bak
expect 1 'Step 1.3 does not pass yet. Show its solution? [y/N]' ./workbook diff 1
expect 1 '-    const std::size_t head_dim = x.shape(2) / heads;  int unused = 1;' ./workbook diff 1
expect 0 '' lacks '+    scores /=' say n ./workbook diff 1
expect 0 '+    scores /= std::sqrt' say y ./workbook diff 1
expect 0 '' lacks 'Step 1.2' say y ./workbook diff 1
expect 1 "warning: unused variable" ./workbook check 1
expect 1 "warning: unused variable" ./workbook check 1

# Reset keeps the file, and the command that it names brings it back.
cp $mine before.cpp
expect 1 'Nothing was changed.' ./workbook reset 1
expect 0 '' cmp before.cpp $mine
output=$(say y ./workbook reset 1)
expect 0 '' cmp $empty $mine
expect 0 '  cp .workbook/backups/part1-' echo "$output"
expect 0 'nothing to do' ./workbook reset 1
eval "$(grep '^  cp ' <<<"$output")"
expect 0 '' cmp before.cpp $mine

# A file that is missing is made again; what was graded last can be had back.
rm $mine
expect 0 'part1_mha/exercise.cpp was missing; the empty exercise is there now.' ./workbook
expect 0 '' cmp $empty $mine
expect 0 '' cmp before.cpp .workbook/latest/1.cpp

# A build makes what is missing, and `clean` in it takes away nothing that is the learner's.
rm $mine
expect 0 '' cmake --build build/default --target exercises
expect 0 '' cmp $empty $mine
cp before.cpp $mine
expect 0 '' cmake --build build/default --target exercises
expect 0 '' cmp before.cpp $mine

# An exercise that has changed since it was begun: said, and left alone.
cp .workbook/skeletons/1.cpp skeleton.cpp
echo '// Of another version.' >>.workbook/skeletons/1.cpp
expect 0 'The exercise has changed since you began part1_mha/exercise.cpp' ./workbook
expect 0 '' cmp before.cpp $mine
cp .workbook/skeletons/1.cpp $mine
expect 0 'part1_mha/exercise.cpp is the new empty exercise now.' ./workbook
expect 0 '' cmp $empty $mine
expect 0 '' cmp skeleton.cpp .workbook/skeletons/1.cpp

# Part 2 on top of part 1, and on worked solutions again.
cp before.cpp $mine
cp part2_kv_cache/solution.cpp part2_kv_cache/exercise.cpp
expect 2 '4' ./workbook start 4
expect 2 'required' ./workbook start
expect 0 'graded with:   your own files of the other parts' ./workbook start 2 --carry
expect 0 'with: your own files of the other parts, carried along' ./workbook
expect 0 '> Part 2' ./workbook
expect 1 'with: your own files of the other parts, carried along' ./workbook check 2
expect 1 'FAILED CachedForward' ./workbook check 2
expect 0 'with: part1_mha/solution.cpp' ./workbook check 2 --solution
expect 0 'graded with:   worked solutions of the other parts' ./workbook start 2
expect 0 'with: worked solutions' ./workbook check 2
expect 0 'Part 2 is done. Next:' ./workbook

# A damaged progress file is no obstacle.
echo '{' >.workbook/progress.json
expect 0 'progress.json was damaged' ./workbook
expect 0 '{' cat .workbook/progress.json.broken
expect 0 '"first_passed"' cat .workbook/progress.json

expect 2 'watch needs a terminal' ./workbook watch 1
expect 2 'There is no part 7. There are:' ./workbook watch 7

finish
