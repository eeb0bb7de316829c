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

# Most of the time goes into the headers, so clang-tidy sees many files at once: what the app and the site are made of, and
# what is made of the layer. A unity build lists them. Left out: what GoogleTest's macros make, what a learner writes or the
# build makes, and what is compiled once more for another processor.
rm -rf build/tidy
cmake --preset tidy >build/tidy.log 2>&1 || { cat build/tidy.log; exit 1; }
left_out='/(suite_[^/]*|[^/]*_tests?|interactive_cases|(worked|mine|submission|skeleton|stand_in)_[^/]*|vector_code_avx[^/]*|[^/]*_precompiled)\.dir/'
find "$PWD/build/tidy" -name 'unity_*_cxx.cxx' | grep -vE "$left_out" | xargs grep -hE '^#include' |
  grep -v build/tidy | sort -u >build/tidy/files

# unit NAME LINES: one file that includes all of these; where several are programs, each main gets a name of its own.
unit() {
  local line number=0
  while read -r line; do
    number=$((number + 1))
    printf '#define main main_of_program_%d\n%s\n#undef main\n' $number "$line"
  done <<<"$2" >"build/tidy/$1.cpp"
}
layer='"'$PWD'/(part[0-9]_|follow_ups|reference/|tests/(support|story))'
# xtensor-blas declares what cblas.h does, and the vector code's functions are declared by those who call them.
alone="$PWD/(part1_mha/tensor|follow_ups/streaming/fast/vector_code_level).cpp"
unit app "$(grep -vE "$layer" build/tidy/files)"
unit layer "$(grep -E "$layer" build/tidy/files | grep -vE "$alone")"
unit products "$(grep tensor.cpp build/tidy/files)"
unit vector_code "$(grep vector_code_level build/tidy/files)"

definitions=$(sed -n 's/.*"command": "\(.*\)",$/\1/p' build/tidy/compile_commands.json | grep -o -- '-D[A-Z0-9_]*\(=[^ ]*\)\?' |
  sed 's/\\\\\\"/"/g' | sort -u -t = -k 1,1 | grep -vE '^-D(WORKBOOK_EXERCISE|WORKBOOK_LEVEL|HAVE_CBLAS)')
# tidy CHECK UNIT: without that check.
tidy() {
  # shellcheck disable=SC2086  # a list of words
  clang-tidy --quiet "--checks=-bugprone-suspicious-include,-llvm-*,$1" "build/tidy/$2.cpp" -- \
    -std=c++20 "-I$PWD" -O1 $definitions -DWORKBOOK_LEVEL=baseline -DHAVE_CBLAS=1 -Wno-everything 2>/dev/null
}
tidy -performance-unnecessary-value-param app &  # a third of the time there
app=$!
status=0
for one in layer vector_code products; do
  tidy '' $one || status=1
done
wait $app && exit $status
