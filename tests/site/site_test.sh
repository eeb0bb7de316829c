#!/usr/bin/env bash
# Builds the site as a reader does and looks at every page of it in a browser: site_test.sh SOURCE_DIR
set -uo pipefail
cd "$1" || exit 1

if [ "${CI:-}" = true ]; then
  ./workbook docs  # installs what it needs
else
  for tool in doxygen node; do
    if ! command -v $tool >/dev/null; then
      echo "skipped: needs $tool"
      exit 0
    fi
  done
  cmake -P docs/build.cmake
fi && exec node tests/site/site_test.mjs build/docs/html
