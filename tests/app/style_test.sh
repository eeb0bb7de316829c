#!/usr/bin/env bash
# clang-format and clang-tidy find nothing. Other versions of the tools see other things, so only continuous integration runs
# this: style_test.sh SOURCE_DIR
set -uo pipefail
cd "$1" || exit 1

if [ "${CI:-}" != true ] || ! command -v clang-format >/dev/null || ! command -v clang-tidy >/dev/null; then
  echo "skipped: needs CI=true, clang-format and clang-tidy"
  exit 0
fi
git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror || exit 1

# Most of the time goes into the headers, so clang-tidy sees all files of a target at once. Left out: what GoogleTest's
# macros make, and what a learner writes or the build makes. Unused: options for the other compiler.
rm -rf build/tidy
cmake --preset tidy >build/tidy.log 2>&1 || { cat build/tidy.log; exit 1; }
left_out='/(part._suite|.*_tests?|interactive_cases|worked_[^/]*|mine_[^/]*|submission_[^/]*|skeleton_[^/]*|stand_in_[^/]*|workbook_precompiled)\.dir/'
find "$PWD/build/tidy" -name 'unity_*_cxx.cxx' | grep -vE "$left_out" |
  xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 clang-tidy --quiet --checks=-bugprone-suspicious-include \
  --extra-arg=-Wno-shadow --extra-arg=-Wno-unused-command-line-argument -p build/tidy 2>/dev/null
