#!/usr/bin/env bash
# A new version never touches a learner's work: clones of the last version that had the exercises in git, and of this one, are
# updated by `./workbook update` and by plain git. Usage: update_test.sh SOURCE_DIR BUILD_DIR (where `steps` is built)
set -uo pipefail

root=$1
built=$2
. "$root/tests/app/shell/expect.sh"
last_tracked=67b870b
git -C "$root" cat-file -e "$last_tracked^{commit}" 2>/dev/null || { echo "skipped: needs the history in git"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Learner GIT_AUTHOR_EMAIL=learner@localhost
export GIT_COMMITTER_NAME=Learner GIT_COMMITTER_EMAIL=learner@localhost
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# --- Where learners get the workbook from ---------------------------------------------------------------------------

git clone -q --bare "$root" remote.git
git -C remote.git update-ref refs/heads/main $last_tracked
git -C remote.git symbolic-ref HEAD refs/heads/main
git clone -q remote.git publisher
git clone -q remote.git old

# publish MESSAGE: what is in publisher/ is the newest version.
publish() {
  git -C publisher add -A && git -C publisher commit -q -m "$1" && git -C publisher push -q origin HEAD:main
}
git -C publisher reset -q --hard "$(git -C "$root" rev-parse HEAD)"
(cd publisher && git rm -rq --cached . && git clean -fdxq)
(cd "$root" && git ls-files -co --exclude-standard | while IFS= read -r file; do [ -e "$file" ] && echo "$file"; done |
  tar -cf - -T -) | tar -xf - -C publisher
git -C publisher add -A
git -C publisher commit -q --allow-empty -m "This version" && git -C publisher push -q origin HEAD:main

# clone NAME FROM: a learner's clone, in which `steps` counts as built.
clone() {
  cp -R "$2" "$1"
  mkdir -p "$1/build/default/bin"
  ln -s "$built/bin/steps" "$1/build/default/bin/steps"
  { grep -E '^CMAKE_(MAKE_PROGRAM|GENERATOR|PROJECT_NAME):' "$built/CMakeCache.txt"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(cd "$1" && pwd -P)"; } >"$1/build/default/CMakeCache.txt"
  echo 'build steps: phony' >"$1/build/default/build.ninja"
  sed -n 's/^build hand *//p' "$root/workbook" | tr '\n' ' ' >"$1/build/default/needed"
}

# As a checkout updates whose launcher cannot.
from_outside() {
  (cd "$1" && git fetch -q && git show FETCH_HEAD:app/commands/shell/update.sh | bash)
}

# fill FILE FUNCTION CODE: that function's body is the code now.
fill() {
  awk -v name="$2\");" -v code="$3" 'index($0, name) { print code; next } { print }' "$1" >filled.tmp
  cmp -s "$1" filled.tmp && { echo "FAILED: $2 is not in $1"; failures=$((failures + 1)); }
  cat filled.tmp >"$1" && rm filled.tmp
}

# function_of FILE FUNCTION: its text
function_of() {
  awk -v name=" $2(" '/^[A-Za-z]/ && index($0, name) { shown = 1 } shown { print } /^}/ { shown = 0 }' "$1"
}

is_kept() {
  local backup
  for backup in "$1"/.workbook/backups/*.cpp; do
    cmp -s "$backup" "$2" && return
  done
  echo "no backup has what was in $2"
  return 1
}

# A learner of the old version, half-way: bodies, a helper, an include; step 3.5 with a helper of its own.
write_half() {
  fill "$1/part1_mha/exercise.cpp" '1.1 split_heads' '    return my_split(x, heads);'
  fill "$1/part1_mha/exercise.cpp" '1.3 attend_head' '    if (k.shape(0) == 0) {
        return {};
    }

    return my_attend_head(q, k, v, positions);'
  awk '/^\/\/ Step 1.1/ { print "namespace {\n// My helper.\nint my_helper() { return 1; }\n}\n" } { print }
    /<cmath>/ { print "#include <numeric>" }' "$1/part1_mha/exercise.cpp" >filled.tmp
  cat filled.tmp >"$1/part1_mha/exercise.cpp"
  fill "$1/part3_gqa/exercise.cpp" '3.1 kv_head_of' '    return query_head / (n_heads / n_kv_heads);'
  fill "$1/part3_gqa/exercise.cpp" '3.5 attend_streaming' '    Tensor<4> mine = q;
    return my_tile(mine);'
  awk '/^Tensor<4> attend_streaming/ { print "// My tile.\nstatic Tensor<4> my_tile(const Tensor<4>& x) { return x; }\n" }
    { print }' "$1/part3_gqa/exercise.cpp" >filled.tmp
  cat filled.tmp >"$1/part3_gqa/exercise.cpp"
  rm filled.tmp
  cp "$1/part1_mha/exercise.cpp" "$1.part1"
  cp "$1/part3_gqa/exercise.cpp" "$1.part3"
}

expect_half_kept() {
  local one=$1/part1_mha/exercise.cpp three=$1/part3_gqa/exercise.cpp streaming=$1/follow_ups/streaming/exercise.cpp
  expect 0 'return my_split(x, heads);' function_of "$one" split_heads
  expect 0 'throw NotImplemented("1.1 merge_heads")' function_of "$one" merge_heads
  expect 0 'return my_attend_head(q, k, v, positions);' function_of "$one" attend_head
  expect 0 'expect_attend_head_fits(q, k, v, positions);' function_of "$one" attend_head
  expect 0 '' lacks 'expect_shape' function_of "$one" attend_head
  expect 0 '' lacks 'NotImplemented' function_of "$one" attend_head
  expect 0 'throw NotImplemented("1.5 Attention::output")' function_of "$one" Attention::output
  expect 0 'int my_helper() { return 1; }' cat "$one"
  expect 0 '#include <numeric>' cat "$one"
  expect 0 '#include "part1_mha/attention.hpp"' cat "$one"
  expect 0 '' lacks '#include "attention.hpp"' cat "$one"
  expect 0 'return query_head / (n_heads / n_kv_heads);' function_of "$three" kv_head_of
  expect 0 '' lacks 'my_tile' cat "$three"
  expect 0 '' lacks 'Step 3.5' cat "$three"
  expect 0 'return my_tile(mine);' function_of "$streaming" attend
  expect 0 'expect_groups_fit("streaming::attend", q, kv, positions);' function_of "$streaming" attend
  expect 0 'static Tensor<4> my_tile(const Tensor<4>& x) { return x; }' cat "$streaming"
  expect 0 'Step streaming.1' cat "$streaming"
  expect 0 '' cmp "$1/part2_kv_cache/exercise.cpp" "$built/skeletons/part2_kv_cache/exercise.cpp"
  expect 0 '' is_kept "$1" "$1.part1"
  expect 0 '' is_kept "$1" "$1.part3"
}

# --- From the version that had exercises in git ---------------------------------------------------------------------

# Nothing written: git takes the files away, and the next command makes the new ones.
clone untouched old
expect 0 '' git -C untouched pull -q
expect 1 '' test -e untouched/part1_mha/exercise.cpp
expect 0 'part1_mha/exercise.cpp was not there; it is the empty exercise now.' untouched/workbook update
expect 0 '' cmp untouched/part1_mha/exercise.cpp "$built/skeletons/part1_mha/exercise.cpp"
expect 0 '' cmp untouched/follow_ups/streaming/exercise.cpp "$built/skeletons/follow_ups/streaming/exercise.cpp"

# Edits that are not committed: plain git pull refuses and loses nothing.
clone edited old
write_half edited
expect 1 'would be overwritten' git -C edited pull -q
expect 0 '' cmp edited.part1 edited/part1_mha/exercise.cpp
expect 0 'your steps 1.1 and 1.3 are kept' from_outside edited
expect_half_kept edited
expect 0 '' test -z "$(git -C edited status --porcelain)"
expect 0 'You have the newest version' edited/workbook update
expect 0 'Your files are up to date.' edited/workbook update
expect_half_kept edited
expect 0 'the follow-up' cat edited/CHANGELOG.md

# Committed ones: they stay in git, in a merge. The next version finds them with changes that are not committed.
clone committed old
write_half committed
git -C committed commit -qam "My answers"
expect 0 'Step 3.5 is the follow-up streaming now' from_outside committed
expect_half_kept committed
expect 0 '' git -C committed diff --quiet HEAD '@{upstream}' -- ':!*exercise.cpp'
expect 0 'return my_split(x, heads);' git -C committed show HEAD:part1_mha/exercise.cpp

# Committed ones in the conflict that a pull leaves behind; the same after stash, pull, stash pop.
clone pulled old
write_half pulled
git -C pulled commit -qam "My answers"
expect 1 'CONFLICT (modify/delete)' git -C pulled pull --no-rebase
expect 0 'are kept' pulled/workbook update
expect_half_kept pulled
clone rebased old
write_half rebased
git -C rebased commit -qam "My answers"
expect 1 'CONFLICT (modify/delete)' git -C rebased pull --rebase
expect 3 'git rebase --abort' rebased/workbook update
git -C rebased rebase --abort
expect 0 'are kept' from_outside rebased
expect_half_kept rebased
clone autostashed old
write_half autostashed
expect 0 'safe in the stash' git -C autostashed pull --rebase --autostash
expect 0 'are kept' autostashed/workbook update
expect_half_kept autostashed
# After stash, pull and stash pop too, also where the new exercises are there already.
clone late old
write_half late
git -C late stash -q
git -C late pull -q
"$built/bin/steps" exercises late
expect 1 'CONFLICT (modify/delete)' git -C late stash pop
expect 0 'are kept' late/workbook update
expect_half_kept late
clone stashed old
write_half stashed
git -C stashed stash -q
git -C stashed pull -q
expect 1 'CONFLICT (modify/delete)' git -C stashed stash pop
expect 0 'are kept' stashed/workbook update
expect_half_kept stashed
expect 0 '' test -z "$(git -C stashed status --porcelain)"

# A new exercise was made, and an old file is put in its place.
clone by_hand old
write_half by_hand
git -C by_hand checkout -q -- .
git -C by_hand pull -q
"$built/bin/steps" exercises by_hand
cp by_hand.part1 by_hand/part1_mha/exercise.cpp
cp by_hand.part3 by_hand/part3_gqa/exercise.cpp
expect 0 'are kept' by_hand/workbook update
expect_half_kept by_hand

# What the update makes compiles: all of it as one file.
includes=
for part in part1_mha part3_gqa follow_ups/streaming; do
  sed -i.tmp -e 's/my_split(x, heads)/Tensor<4>()/' -e 's/my_attend_head(.*)/{}/' edited/$part/exercise.cpp
  includes="$includes#include \"$work/edited/$part/exercise.cpp\"
"
done
printf '%s' "$includes" >all.cpp
expect 0 '' c++ -std=c++20 -fsyntax-only -DWORKBOOK_EXERCISE -I "$root" -I "$root/part1_mha" -I "$root/part2_kv_cache" \
  -I "$root/follow_ups/streaming/fast" all.cpp

# --- From this version on -------------------------------------------------------------------------------------------

git clone -q remote.git new
"$built/bin/steps" exercises new
expect 0 '' test -z "$(git -C new status --porcelain)"
sed -i.tmp 's|^// merge_heads goes back\.||; s|^// Step 1.2: softmax over each row|// Step 1.2: a new name|' publisher/part1_mha/solution.cpp
sed -i.tmp 's|^// n_heads query heads share|// New words. &|' publisher/part3_gqa/solution.cpp
awk '/^\/\/ Step 2.2/ { print "// Step 2.9: a new step\n\nint new_step() {\n    // [2.9 new_step]\n    return 1;\n    // [2.9 new_step]\n}\n" }
  { print }' publisher/part2_kv_cache/solution.cpp >solution.tmp
cp solution.tmp publisher/part2_kv_cache/solution.cpp
rm publisher/*/*.tmp
publish "The next version"

# With plain git pull nothing happens to the files; the next update brings what is new.
clone next new
fill next/part1_mha/exercise.cpp '1.1 merge_heads' '    return my_merge(x);'
fill next/part2_kv_cache/exercise.cpp '2.1 KVCache::append' '    my_append();'
cp next/part1_mha/exercise.cpp next.part1
expect 0 '' git -C next pull -q
expect 0 '' cmp next.part1 next/part1_mha/exercise.cpp
expect 0 'part1_mha/exercise.cpp: your step 1.1 is kept' next/workbook update
expect 0 '' is_kept next next.part1
expect 0 'return my_merge(x);' function_of next/part1_mha/exercise.cpp merge_heads
expect 0 '// Step 1.2: a new name' cat next/part1_mha/exercise.cpp
expect 0 'my_append();' function_of next/part2_kv_cache/exercise.cpp KVCache::append
expect 0 'throw NotImplemented("2.9 new_step");' function_of next/part2_kv_cache/exercise.cpp new_step
expect 0 '// New words.' cat next/part3_gqa/exercise.cpp
clone says new
fill says/part2_kv_cache/exercise.cpp '2.1 KVCache::append' '    my_append();'
expect 0 'Step 2.9 is new.' says/workbook update
clone says_too new
expect 0 'part3_gqa/exercise.cpp: you had not begun it; it is the new empty exercise.' says_too/workbook update
expect 0 '' is_kept says_too new/part3_gqa/exercise.cpp
expect 0 'are kept' committed/workbook update
expect 0 'return my_split(x, heads);' function_of committed/part1_mha/exercise.cpp split_heads
expect 0 '// Step 1.2: a new name' cat committed/part1_mha/exercise.cpp

# --- When it cannot be done -----------------------------------------------------------------------------------------

clone cannot new
fill cannot/part1_mha/exercise.cpp '1.1 merge_heads' '    return my_merge(x);'
cp cannot/part1_mha/exercise.cpp cannot.part1
before=$(git -C cannot rev-parse HEAD)
expect 2 'takes no arguments' cannot/workbook update now
echo "// mine" >>cannot/part1_mha/solution.cpp
expect 3 'part1_mha/solution.cpp' cannot/workbook update
git -C cannot commit -qam "My solution"
expect 3 'more than exercises' cannot/workbook update
git -C cannot reset -q --hard "$before"
git -C cannot checkout -q --detach
expect 3 'No branch is checked out' cannot/workbook update
git -C cannot checkout -q -b alone
expect 3 'follows no remote branch' cannot/workbook update
git -C cannot checkout -q main
git -C cannot remote set-url origin "$work/nowhere.git"
expect 3 'could not be fetched' cannot/workbook update
git -C cannot remote remove origin
expect 3 'has no remote' cannot/workbook update
mv cannot/.git elsewhere.git
expect 3 'not a clone' cannot/workbook update
expect 0 '' cmp cannot.part1 cannot/part1_mha/exercise.cpp
expect 0 '' test ! -e cannot/.workbook/backups

finish
