#!/usr/bin/env bash
# The scripts of the calculator and the explorer give what the C++ models give, in a browser or in Node; in a browser, both
# also show it: interactive_test.sh browser|node SOURCE_DIR CASES_PROGRAM
set -euo pipefail
where=$1 scripts=$2/docs/interactive tests=$2/tests/site
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

program=""
if [ "$where" = node ]; then names="node nodejs"; else names="chromium chromium-browser google-chrome"; fi
for name in $names; do
  if command -v "$name" >/dev/null; then program=$name; break; fi
done
if [ -z "$program" ]; then
  echo "skipped: none of these is installed: $names"
  exit 0
fi

# page FILE MOUNT_ID SCRIPT…: a page of these scripts
page() {
  local file=$1 mount=$2 script
  shift 2
  printf '<!doctype html><meta charset="utf-8"><title>test</title><body><div id="%s"></div>' "$mount" >"$folder/$file"
  for script in "$@"; do printf '<script src="%s"></script>\n' "$script" >>"$folder/$file"; done
}

# shown URL: what a page of the folder holds when its scripts have run
shown() {
  "$program" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --dump-dom "file://$folder/$1" \
    2>>"$folder/browser.log"
}

# expect TEXT ANSWER
expect() {
  if ! grep -qF -- "$1" <<<"$2"; then
    printf 'expected the text: %s\ngot:\n%s\n' "$1" "$2"
    grep -v dbus "$folder/browser.log" 2>/dev/null || true
    exit 1
  fi
}

"$3" "$2/docs/models.json" >"$folder/cases.js"
cp "$scripts"/*.js "$tests"/interactive_*.js "$folder"
if [ "$where" = node ]; then
  echo 'console.log(compareWithModels());' >"$folder/print.js"
  (cd "$folder" && cat cases.js cost.js cached_call.js masks.js interactive_compare.js print.js >all.js)
  answer=$("$program" "$folder/all.js")
  expect "equal: " "$answer"
  echo "$answer"
  exit 0
fi

echo 'document.body.textContent = compareWithModels();' >"$folder/print.js"
page compare.html none cases.js cost.js cached_call.js masks.js interactive_compare.js print.js
answer=$(shown compare.html)
expect "equal: " "$answer"
grep -o 'equal: [^<]*' <<<"$answer"

page calculator.html workbook-calculator interactive_data.js cost.js widgets.js calculator_view.js
answer=$(shown 'calculator.html#model=llama-3.1-8b&batch=32&context=8192')
for figure in 131,072 34,359,738,368 137,438,953,472; do expect "<td>$figure</td>" "$answer"; done
expect '<td>1,099,243,192,320</td>' "$(shown 'calculator.html#model=llama-3.1-8b&batch=1&context=0&n_new=4096')"
expect '<td>327,680</td>' "$(shown 'calculator.html#model=llama-3.1-70b')"
expect 'Llama 3.1 8B, 32 rows of 8,192 tokens: the cache reserves 32 GiB' \
  "$(shown 'calculator.html#model=llama-3.1-8b&n_kv_heads=1&n_layers=1')"
one_layer='model=own&n_layers=1&n_heads=1&n_kv_heads=1&bytes_per_element=1&batch=1&context=1'
expect 'reserves 1.63 GiB' "$(shown "calculator.html#$one_layer&head_dim=872415232")"  # 1,744,830,464 bytes, a tie
expect 'Rows B: a whole number from 1 to 2^64 - 1 was expected, got 0' "$(shown 'calculator.html#batch=0')"
for text in abc 18446744073709551616; do
  expect "Rows B: a whole number from 1 to 2^64 - 1 was expected, got $text" "$(shown "calculator.html#batch=$text")"
done
expect 'Bandwidth, GB/s: a number from 1e-6 to 1e9 was expected, got 1e-300' "$(shown 'calculator.html#bandwidth=1e-300')"

explorer="interactive_data.js cached_call.js masks.js widgets.js explorer_grids.js explorer_view.js"
# shellcheck disable=SC2086  # names of scripts
page explorer.html workbook-explorer $explorer interactive_every_mistake.js
expect 'every mistake shows' "$(shown explorer.html)"

# shellcheck disable=SC2086
page explorer.html workbook-explorer $explorer
ragged='past=4,1&n_new=3,2&q_len=3&max_len=8&n_heads=4&n_kv_heads=2'
expect 'Query head 0 sees what it should; look at query heads 1, 3.' \
  "$(shown "explorer.html#mistake=stacked_rows_unmasked&head=0&$ragged")"
expect 'In this call nothing shows; the cache is wrong afterwards, and so is the next call.' \
  "$(shown "explorer.html#mistake=length_grows_by_first_count&$ragged")"
expect 'Here the mistake hides: ' "$(shown 'explorer.html#mistake=mask_by_row_number&past=0&n_new=3&q_len=3')"
answer=$(shown 'explorer.html#past=1.5&n_new=1&q_len=&max_len=2&window=-1')
for fault in 'Slots in the call T: 1 to 8 was expected, got nothing; 3 is shown.' \
  'Row 0: past L: 0 to 21 was expected, got 1.5; 4 is shown.' \
  'Capacity C: 7 to 24 was expected, got 2; 8 is shown.' \
  'Window, 0 for none: 0 to 24 was expected, got -1; 0 is shown.'; do
  expect "$fault" "$answer"
done
echo "both pages show it"
