# ./workbook update: gets the newest version with git, then lets that bring the learner's files up to date.
#: summary get the newest version of the workbook; keeps what you wrote and makes a backup of it
#: place 140

# A checkout whose launcher does not have the command yet runs this file by itself:
#
#   git fetch && git show FETCH_HEAD:app/commands/shell/update.sh | bash
#
# So everything up to where the new launcher takes over uses nothing of the launcher's.

stop() {
  printf '%s\n' "$@" >&2
  exit 3
}

# in_git COMMAND…: git, which must not read the rest of this script.
in_git() {
  git -C "$root" -c core.quotepath=off "$@" </dev/null
}

is_exercise() {
  case $1 in
    part*/exercise.cpp|follow_ups/*/exercise.cpp) return 0 ;;
  esac
  return 1
}

# Passes on the paths that are learners' files, or with `not` the others.
exercises() {
  local path
  while IFS= read -r path; do
    if is_exercise "$path"; then
      [ "${1:-}" = not ] || printf '%s\n' "$path"
    else
      [ "${1:-}" != not ] || printf '%s\n' "$path"
    fi
  done
}

unmerged() {
  in_git diff --name-only --diff-filter=U | sort -u
}

# --- What has to hold before ----------------------------------------------------------------------------------------

expect_a_clone() {
  command -v git >/dev/null || stop "git is not installed, and the update needs it."
  local top git_dir
  top=$(in_git rev-parse --show-toplevel 2>&1) || [ ! -e "$root/.git" ] || stop "$top"
  [ "$top" -ef "$root" ] ||
    stop "This folder is not a clone, so git cannot update it. Get the new version with git clone, and copy these there:" \
      "the folder .workbook and each exercise.cpp. Then run ./workbook update there."
  git_dir=$(in_git rev-parse --absolute-git-dir)
  [ ! -d "$git_dir/rebase-merge" ] && [ ! -d "$git_dir/rebase-apply" ] ||
    stop "A rebase is under way. Give it up, nothing is lost by that; then update:" "  git rebase --abort" \
      "  git fetch && git show FETCH_HEAD:app/commands/shell/update.sh | bash"
}

# Ends what a pull, or stash pop, of the learner's has begun where only exercises are in conflict: theirs stay.
settle() {
  local path others
  others=$(unmerged | exercises not)
  [ -z "$others" ] || stop "A merge is under way, and these files are in conflict:" "$others" \
    "Finish it, or give it up with  git merge --abort, and run the command again."
  if in_git rev-parse -q --verify MERGE_HEAD >/dev/null; then
    keep_ours
    in_git commit -q --no-edit || stop "git could not finish the merge that is under way; its message is above."
  else
    unmerged | while IFS= read -r path; do
      in_git reset -q -- "$path"
    done
  fi
}

# In a merge: exercises that the learner has committed stay as they were.
keep_ours() {
  local path
  unmerged | exercises | while IFS= read -r path; do
    in_git checkout -q HEAD -- "$path"
    in_git add -f -- "$path"
  done
}

# Sets branch, remote and upstream, and fetches.
fetch_upstream() {
  branch=$(in_git symbolic-ref -q --short HEAD) ||
    stop "No branch is checked out. Go back to yours, such as main, and run the command again:" "  git switch main"
  [ -n "$(in_git remote)" ] ||
    stop "This clone has no remote to get a new version from. Add the one it came from:" \
      "  git remote add origin URL && git fetch origin && git branch --set-upstream-to=origin/$branch"
  upstream=$(in_git rev-parse -q --verify --abbrev-ref '@{upstream}' 2>/dev/null) ||
    stop "The branch $branch follows no remote branch. Say which, such as:" \
      "  git branch --set-upstream-to=origin/main"
  remote=$(in_git config "branch.$branch.remote")
  echo "Looking for a new version at $(in_git config "remote.$remote.url" || echo "$remote")"
  in_git fetch -q "$remote" ||
    stop "The new version could not be fetched; git says why above. Is this machine online? Nothing was changed."
  upstream=$(in_git rev-parse '@{upstream}')
}

# Own commits may have changed exercises, and nothing else.
expect_mergeable() {
  local others
  base=$(in_git merge-base HEAD "$upstream") ||
    stop "Your branch and the new version have no commit in common, so git cannot merge them. Clone again, and copy" \
      "the folder .workbook and each exercise.cpp there."
  others=$(in_git diff --name-only "$base" HEAD | exercises not)
  [ "$base" = "$(in_git rev-parse HEAD)" ] || [ -z "$others" ] ||
    stop "Your branch has commits of its own that change more than exercises:" "$others" \
      "Do the merge yourself, then run the command again; it keeps your exercises in the middle of a merge too:" \
      "  git merge '@{upstream}'"
}

# What the new version changes may not have been changed here, but for exercises.
expect_unchanged() {
  local path both=""
  while IFS= read -r path; do
    if ! in_git diff --quiet "$base" "$upstream" -- "$path"; then
      both="$both  $path
"
    fi
  done < <(in_git diff --name-only HEAD | exercises not)
  [ -z "$both" ] || stop "You have changed files that the new version changes too:" "$both" \
    "Copy them elsewhere if you want to keep that, undo your changes, and run the command again:" \
    "  git checkout HEAD -- FILE"
}

# --- The update itself ----------------------------------------------------------------------------------------------

# Exercises of versions that have them in git, when they have changes that are not committed: git would refuse to go on.
# They are copied to the backups, and put back afterwards, whatever happens.
set_aside() {
  local path
  aside=$root/.workbook/backups/update-$(date +%Y-%m-%d-%H%M%S)
  trap put_back EXIT
  while IFS= read -r path; do
    if [ -f "$root/$path" ] && ! in_git diff --quiet "$base" "$upstream" -- "$path"; then
      mkdir -p "$aside/$(dirname "$path")"
      cp -p "$root/$path" "$aside/$path" && cmp -s "$root/$path" "$aside/$path" ||
        stop "$path could not be copied to .workbook/backups. Nothing was changed."
      in_git checkout -q HEAD -- "$path"
    fi
  done < <(in_git diff --name-only HEAD | exercises)
}

put_back() {
  local path
  [ -d "$aside" ] || return 0
  (cd "$aside" && find . -type f) | while IFS= read -r path; do
    mkdir -p "$(dirname "$root/$path")"
    cp -p "$aside/$path" "$root/$path" || echo "Your ${path#./} is kept here: $aside/$path" >&2
  done
}

merge() {
  if [ "$base" = "$(in_git rev-parse HEAD)" ]; then
    in_git merge -q --ff-only "$upstream" || stop "git did not take the new version; it says why above. Nothing was changed."
    return
  fi
  in_git merge -q --no-ff --no-commit -X no-renames "$upstream" >/dev/null || true
  keep_ours
  if [ -n "$(unmerged)" ] || ! in_git commit -q --no-edit; then
    in_git merge --abort || true
    stop "git could not merge the new version into your branch. Nothing was changed. To see why:" "  git merge '@{upstream}'"
  fi
}

version_at() {
  in_git show "$1:CMakeLists.txt" | sed -n 's/^project(.* VERSION \([0-9.]*\).*/\1/p'
}

get_newest() {
  local before
  expect_a_clone
  settle
  fetch_upstream
  before=$(in_git rev-parse HEAD)
  if in_git merge-base --is-ancestor "$upstream" HEAD; then
    echo "You have the newest version, $(version_at HEAD)."
  else
    expect_mergeable
    expect_unchanged
    set_aside
    merge
    put_back
    trap - EXIT
    echo "Updated from $(version_at "$before") to $(version_at HEAD)."
  fi
  exec "$root/workbook" update --files "$(version_at "$before")"
}

# --- In the new version ---------------------------------------------------------------------------------------------

# What CHANGELOG.md says about versions since that one.
changes_since() {
  awk -v since="$1" '/^## / { shown = 1 } $1 == "##" && $2 == since { exit } shown' "$root/CHANGELOG.md"
}

update_files() {
  build_target steps steps >&2
  "$build/bin/steps" update "$root" || fail "Your files could not be brought up to date; they are as they were."
  [ -z "$(changes_since "$1")" ] || printf '\n%s\n' "$(changes_since "$1")"
}

run() {
  case "$#${1:-}" in
    0) get_newest ;;
    2--files) update_files "$2" ;;
    *) echo "./workbook update takes no arguments" >&2; exit 2 ;;
  esac
}

if ! declare -F build_target >/dev/null; then
  set -euo pipefail
  root=$(git rev-parse --show-toplevel)
  run
fi
