#!/usr/bin/env bash
# The scripts of the calculator and the explorer give what the C++ models give, in a browser or in Node:
# interactive_test.sh browser|node FOLDER_OF_SCRIPTS COMPARE_JS CASES_PROGRAM MODELS_JSON
set -euo pipefail
where=$1 scripts=$2 compare=$3 cases=$4 models=$5
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

"$cases" "$models" >"$folder/cases.js"
cp "$scripts/cost.js" "$scripts/masks.js" "$compare" "$folder"
compare=$(basename "$compare")
if [ "$where" = node ]; then
  cat "$folder/cases.js" "$folder/cost.js" "$folder/masks.js" "$folder/$compare" >"$folder/all.js"
  echo 'console.log(compareWithModels());' >>"$folder/all.js"
  result=$("$program" "$folder/all.js")
else
  cat >"$folder/page.html" <<PAGE
<!doctype html><meta charset="utf-8"><title>comparison</title><body>
<script src="cases.js"></script><script src="cost.js"></script><script src="masks.js"></script><script src="$compare"></script>
<script>document.body.textContent = 'result ' + compareWithModels();</script>
PAGE
  result=$("$program" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --dump-dom \
    "file://$folder/page.html" 2>"$folder/browser.log" | sed -n 's/.*result \(.*\)/\1/p' | sed 's/<\/body>.*//')
fi
echo "$result"
case $result in
  equal:*) ;;
  *) cat "$folder/browser.log" 2>/dev/null; exit 1 ;;
esac
