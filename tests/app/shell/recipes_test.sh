#!/usr/bin/env bash
# Carries out the recipes of CONTRIBUTING.md and docs/adding-questions.md, word by word: writes and changes the files that they show, then runs their
# commands, and finds in what each prints the text behind its `#>`. In a copy of the project: recipes_test.sh SOURCE_DIR COPY
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
enter_copy "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Blocks between four backticks become files, with a line each in `plan`: NUMBER|WHERE|FILE|LINE. Commands are listed.
awk -v work="$work" '
  /^````/ && !block { block = ++blocks; file = work "/block_" block; printf "" >file; next }
  /^````/ {
    if (where == "") { print FILENAME ": a block that says no file" >"/dev/stderr" }
    print block "|" where "|" target "|" line >(work "/plan")
    close(file); block = 0; where = ""; next
  }
  block { print >file; next }
  /^(Write|In) `[^`]*`.*:$/ {
    split($0, part, "`"); target = part[2]; line = part[4]
    where = /^Write/ ? "new" : /, at the end:$/ ? "end" : /, above the last line:$/ ? "above" : "below"
  }
  / #> / { print >(work "/commands") }
' CONTRIBUTING.md docs/adding-questions.md

while IFS='|' read -r number where file line; do
  block=$work/block_$number
  case $where in
    new) mkdir -p "$(dirname "$file")"; cp "$block" "$file" ;;
    end) cat "$block" >>"$file" ;;
    above) { sed '$d' "$file"; cat "$block"; tail -n 1 "$file"; } >"$work/changed" && cp "$work/changed" "$file" ;;
    below)
      grep -qxF -- "$line" "$file" || { echo "FAILED: $file has no line $line"; failures=$((failures + 1)); }
      BLOCK=$block LINE=$line awk '{ print } $0 == ENVIRON["LINE"] { while ((getline text <ENVIRON["BLOCK"]) > 0) print text }' \
        "$file" >"$work/changed" && cp "$work/changed" "$file" ;;
  esac
done <"$work/plan"

while IFS= read -r line; do
  command=${line%% #> *}
  text=${line#* #> }
  output=$(bash -c "$command" 2>&1 </dev/null)
  if ! grep -qF -- "$text" <<<"$output" || grep -q '^FAILED: ' <<<"$output"; then
    printf 'FAILED: %s\n  expected the text: %s\n  got:\n%s\n' "$command" "$text" "$output"
    failures=$((failures + 1))
  fi
done <"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 12 ] || { echo "FAILED: there are only few commands"; failures=$((failures + 1)); }
finish
