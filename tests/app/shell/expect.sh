# Sourced by the tests of commands. Counts failures; `finish` ends the test.

failures=0

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

finish() {
  [ "$failures" -eq 0 ] && echo "all as expected"
  exit "$((failures > 0))"
}
