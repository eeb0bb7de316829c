#!/usr/bin/env bash
# The workbook on a machine that has nothing yet: makes a Debian or Ubuntu in a folder, clones the project as it is
# committed into it, and does there what a learner does. For a maintainer to run by hand, as root, on Linux with
# debootstrap. Everything takes about half an hour on two cores.
#
#   tests/app/shell/fresh_machine.sh debian12|debian13|ubuntu24.04 [OPTION…] [STEP…]
#
#   --trees FOLDER   where machines and packages are kept for the next run; ~/.cache/workbook-machines by default
#   --again          go on in the machine that the last run has left, with what is committed now
#   --clang          compile with clang
#
# Steps: install, check, wrong, docs, bench, test; all of them when none is given. test=REGEX runs some of the tests.
# Packages come from MIRROR when it is set, else from the mirror of this machine's apt, else from the distribution's own.
# The output of a step is in FOLDER/DIST/COMPILER/STEP.log. To look around: chroot FOLDER/DIST/COMPILER/machine su - learner
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)

usage() {
  sed -n 's/^#   tests/Usage: tests/p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

# --- What to do -------------------------------------------------------------

dist=${1:-}
trees=${XDG_CACHE_HOME:-$HOME/.cache}/workbook-machines
again=no
compiler=gcc
steps=()
case $dist in
  debian12) suite=bookworm origin=Debian components=main default_mirror=http://deb.debian.org/debian ;;
  debian13) suite=trixie origin=Debian components=main default_mirror=http://deb.debian.org/debian ;;
  ubuntu24.04) suite=noble origin=Ubuntu components=main,universe default_mirror=http://archive.ubuntu.com/ubuntu ;;
  *) usage ;;
esac
shift
while [ $# -gt 0 ]; do
  case $1 in
    --trees) trees=${2:?a folder is missing}; shift ;;
    --again) again=yes ;;
    --clang) compiler=clang ;;
    install|check|wrong|docs|bench|test|test=*) steps+=("$1") ;;
    *) usage ;;
  esac
  shift
done
[ ${#steps[@]} -gt 0 ] || steps=(install check wrong docs bench test)
[ "$(id -u)" -eq 0 ] || { echo "This needs root, to install a system into a folder." >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "This needs debootstrap: apt-get install debootstrap" >&2; exit 2; }

here=$trees/$dist
logs=$here/$compiler
machine=$logs/machine
commit=$(git -C "$root" rev-parse HEAD)
mkdir -p "$here/packages" "$logs"

# --- The machine ------------------------------------------------------------

mirror() {
  local own
  # shellcheck disable=SC2016  # for apt-get
  own=$(apt-get indextargets --format '$(REPO_URI)' "Origin: $origin" "Label: $origin" 2>/dev/null | sort -u | head -n 1 || true)
  echo "${MIRROR:-${own:-$default_mirror}}"
}

# apart COMMAND…: what it mounts goes when it ends, however it ends, and so does every process that it leaves.
running=""
trap '[ -z "$running" ] || kill -KILL "$running"; exit 130' INT TERM HUP  # unshare itself does not end by these
apart() {
  local code=0
  unshare --mount --pid --fork --kill-child --mount-proc "$@" </dev/null &
  running=$!
  wait "$running" || code=$?
  running=""
  return $code
}

# inside USER COMMAND: a login shell of the machine runs it.
inside() {
  # shellcheck disable=SC2016  # for the shell inside; as the first process it also collects orphans, as init does
  apart bash -ec '
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys"
    mount --rbind /dev "$1/dev"
    mount --bind "$2" "$1/var/cache/apt/archives"
    code=0
    chroot "$1" /bin/su - "$3" -c "$4" || code=$?
    exit $code' - "$machine" "$here/packages" "$@"
}

# Only what a person has anyway before the workbook: git, and sudo for a user who is not root.
make_base() {
  local keyring=/usr/share/keyrings/${origin,,}-archive-keyring.gpg
  local -a trust=("--keyring=$keyring")
  [ -f "$keyring" ] || {
    echo "$keyring is not here, so the first packages are taken without a look at their signatures."
    trust=(--no-check-gpg)
  }
  rm -rf --one-file-system "$machine" "$here/base"
  apart debootstrap --variant=minbase --components="$components" --include=ca-certificates,git,sudo "${trust[@]}" \
    "$suite" "$machine" "$(mirror)" "$(script_of "$suite")"
  inside root 'useradd --create-home --shell /bin/bash learner
    echo "learner ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/learner'
  mv "$machine" "$here/base"
}

# An older debootstrap does not know a newer release by name, but all those of a distribution are made alike.
script_of() {
  local scripts=/usr/share/debootstrap/scripts
  if [ ! -e "$scripts/$1" ]; then
    case $origin in
      Debian) echo $scripts/sid ;;
      Ubuntu) echo $scripts/gutsy ;;
    esac
  fi
}

make_machine() {
  [ -d "$here/base" ] || make_base
  rm -rf --one-file-system "$machine"
  cp -a --reflink=auto "$here/base" "$machine"
  cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
}

# What is committed, not the files as they are.
bring_project() {
  local home=$machine/home/learner
  rm -rf "$home/project.git"
  git clone -q --bare "$root" "$home/project.git"
  chown -R --reference="$home" "$home/project.git"
  inside learner "[ -d workbook ] || git clone -q project.git workbook
    cd workbook && git fetch -q origin '+refs/heads/*:refs/remotes/origin/*' && git reset -q --hard $commit"
}

# With what --sanitize needs.
install_clang() {
  # shellcheck disable=SC2016  # for the shell inside
  inside root 'apt-get update -q
    release=$(apt-cache depends clang | sed -n "s/.*Depends: clang-//p")
    apt-get install -y -q --no-install-recommends clang "libclang-rt-$release-dev"'
  environment='export CC=clang CXX=clang++;'
}

# --- Steps ------------------------------------------------------------------

results=()
failed=0
environment=""

# step NAME EXIT_CODE TEXT COMMAND: the command ends with that code and prints that text.
step() {
  local name=$1 code=$2 text=$3 log=$logs/${1%%=*}.log start=$SECONDS actual=0 word=ok
  inside learner "$environment cd workbook && $4" >"$log" 2>&1 || actual=$?
  if [ $actual -ne "$code" ] || ! grep -qF -- "$text" "$log"; then
    tail -n 60 "$log"
    echo "FAILED: $4: expected exit code $code and the text: $text; got exit code $actual and $log"
    word=FAILED
    failed=1
  fi
  results+=("$name $((SECONDS - start)) s $word")
  echo "${results[-1]}"
}

run_step() {
  case $1 in
    install) step install 0 './workbook' './workbook' ;;
    check) step check 0 'everything passes' './workbook check 1 --solution' ;;
    wrong) step wrong 1 '(scale_missing)' \
      'grep -v "scores /= std::sqrt" part1_mha/solution.cpp >../wrong.cpp; ./workbook check 1 --file ../wrong.cpp' ;;
    docs) step docs 0 'The site is built' './workbook docs' ;;
    bench) step bench 0 '' './workbook bench' ;;
    test) step test 0 '100% tests passed' './workbook test' ;;
    test=*) step "$1" 0 '100% tests passed' \
      "cmake --build build/default --target project_tests && ctest --preset project -R '${1#test=}'" ;;
  esac
}

main() {
  local one list
  if [ $again = no ] || [ ! -d "$machine" ]; then
    echo "Making $machine; the output is in $logs/machine.log."
    make_machine >"$logs/machine.log" 2>&1 || { tail -n 20 "$logs/machine.log"; exit 3; }
  fi
  bring_project
  [ $compiler = gcc ] || install_clang >"$logs/clang.log" 2>&1
  for one in "${steps[@]}"; do
    run_step "$one"
  done
  printf -v list '%s, ' "${results[@]}"
  echo "$dist, $compiler, ${commit:0:7}: ${list%, }"
  exit $failed
}

main
