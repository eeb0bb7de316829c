# Sourced by the tests of commands. Counts failures; `finish` ends the test.

failures=0

# The folders of parts 1 to 3, a line each.
part_folders() {
  sed -n '/"parts"/,/\]/s/.*"folder": "\([^"]*\)".*/\1/p' "$root/parts.json"
}

# enter_copy FOLDER: goes to a copy of the project; for tests that write into it.
enter_copy() {
  cd "$1" || exit 1
  if [ "$PWD" -ef "$root" ]; then
    echo "this test writes into the folder it is given, so it needs a copy"
    exit 1
  fi
}

# expect EXIT_CODE TEXT COMMAND…: the command ends with that code and prints that text.
expect() {
  local code=$1 text=$2 output actual
  shift 2
  output=$("$@" 2>&1 </dev/null)
  actual=$?
  if [ "$actual" -ne "$code" ] || ! grep -qF -- "$text" <<<"$output"; then
    printf 'FAILED: %s\n  expected exit code %s and the text: %s\n  got exit code %s and:\n%s\n' \
      "$*" "$code" "$text" "$actual" "$output"
    failures=$((failures + 1))
  fi
}

# lacks TEXT COMMAND…: succeeds when the command does not print that text.
lacks() {
  local text=$1
  shift
  if "$@" 2>&1 | grep -qF -- "$text"; then
    echo "printed: $text"
    return 1
  fi
}

# running PATTERN: the processes whose command line matches. A small system on Linux may have no pgrep.
running() {
  local file words
  if command -v pgrep >/dev/null; then
    pgrep -af -- "$1"
    return
  fi
  for file in /proc/[0-9]*/cmdline; do
    words=()
    mapfile -t -d "" words 2>/dev/null <"$file"
    [[ ! ${words[*]} =~ $1 ]] || echo "${words[*]}"
  done
}

# interrupt PATTERN COMMAND…: Ctrl-C as soon as a process matches the pattern ends the command with exit code 130, and no such
# process stays. What the command printed is in $work/output.
interrupt() {
  local pattern=$1 pid i code
  shift
  set -m  # as a shell with job control starts it: without that, a shell lets a background command ignore Ctrl-C
  "$@" >"$work/output" 2>&1 &
  pid=$!
  set +m
  for ((i = 0; i < 600; ++i)); do
    [ -z "$(running "$pattern")" ] || break
    sleep 0.1
  done
  kill -INT "$pid"
  wait "$pid"
  code=$?
  sleep 0.5
  if [ "$i" -eq 600 ] || [ "$code" -ne 130 ] || [ -n "$(running "$pattern")" ]; then
    echo "FAILED: interrupted at $pattern: exit code $code, left running: $(running "$pattern")"
    cat "$work/output"
    failures=$((failures + 1))
  fi
}

finish() {
  [ "$failures" -eq 0 ] && echo "all as expected"
  exit "$((failures > 0))"
}
