#!/usr/bin/env bash
# `clean` removes build folders and nothing else, and only when one says so; `--version` and `help` need nothing that is
# installed. In a copy of the launcher: clean_test.sh SOURCE_DIR
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir app
cp -R "$root/app/commands" app/
cp "$root/workbook" "$root/CMakeLists.txt" "$root/parts.json" .

# Programs that every system has, and no others: no git, no cmake, no compiler.
mkdir tools
for tool in bash env sed awk dirname readlink cat rm du find; do
  ln -s "$(command -v $tool)" tools/$tool
done
alone() {
  env PATH="$work/tools" "$@"
}

expect 0 'attention workbook 0.' alone ./workbook --version
expect 0 'attention workbook 0.' alone ./workbook -V
expect 0 './workbook clean' alone ./workbook help
expect 0 '--yes' alone ./workbook clean --help
expect 2 "There is no command 'cleen'" alone ./workbook cleen
expect 3 'git is not installed' alone ./workbook update

# say ANSWER COMMAND…: the command with that line as its input.
say() {
  local answer=$1
  shift
  printf '%s\n' "$answer" | "$@"
}

mkdir -p part1_mha .workbook/backups build/default build/bench
for file in part1_mha/exercise.cpp .workbook/progress.json .workbook/backups/part1.cpp; do
  echo mine >"$file"
done
echo built | tee build/default/object >build/bench/object

everything_is_there() {
  [ "$(cat part1_mha/exercise.cpp .workbook/progress.json .workbook/backups/part1.cpp | tr '\n' ' ')" = 'mine mine mine ' ]
}

expect 2 'takes no arguments but --yes' alone ./workbook clean all
expect 2 'takes no arguments but --yes' alone ./workbook clean --yes now
expect 1 'build/bench' alone ./workbook clean
expect 1 'Your answers, progress and backups stay. [y/N]' alone ./workbook clean
expect 1 'Nothing was removed.' say n alone ./workbook clean
expect 0 'built' cat build/default/object
expect 0 'build/ is removed' say y alone ./workbook clean
expect 0 '' test ! -e build
expect 0 '' everything_is_there
expect 0 'nothing is built' alone ./workbook clean

mkdir -p build/default
expect 0 'build/ is removed' alone "$work/workbook" clean --yes
expect 0 '' test ! -e build
expect 0 '' everything_is_there

# A build folder that is a link: the link goes, what it leads to stays.
mkdir elsewhere
echo mine >elsewhere/file
ln -s elsewhere build
expect 0 'build/ is removed' alone ./workbook clean --yes
expect 0 'mine' cat elsewhere/file
expect 0 '' everything_is_there

finish
