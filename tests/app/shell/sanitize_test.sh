#!/usr/bin/env bash
# The worked solutions pass every suite in float and under sanitizers, which the ordinary build has neither of, and `check
# --sanitize` shows the line of a mistake that an ordinary run may not notice. Usage: sanitize_test.sh SOURCE_DIR COPY
# (where learner_test.sh has made the copy: a build in float is not for a learner's folder)
set -uo pipefail

root=$1
. "$root/tests/app/shell/expect.sh"
enter_copy "$2"
cmake --preset sanitize -D WORKBOOK_FLOAT=ON >build/sanitize.log 2>&1 &&
  cmake --build build/sanitize --target solutions >>build/sanitize.log 2>&1 || { tail -n 40 build/sanitize.log; exit 1; }
build/sanitize/bin/solutions --gtest_brief=1 || { echo "FAILED: the worked solutions, in float under sanitizers"; failures=1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
answer=$work/answer.cpp

# One mistake in each step, put in front of the worked body.
awk '
  { print }
  /\/\/ \[1.1 split_heads\]/ && !seen[1]++ {
    print "    Tensor<1> block({x.shape(0) + 1});"
    print "    block.data()[block.size()] = 0;  // raw pointer"
  }
  /\/\/ \[1.2 softmax_rows\]/ && !seen[2]++ {
    print "    const Matrix shifted = scores - xt::amax(scores, {1}, xt::keep_dims);  // lazy reduction"
    print "    if (shifted.size() > 1000000) { return shifted; }"
  }
  /\/\/ \[1.3 attend_head\]/ && !seen[3]++ {
    print "    const ConstMatrix gone = [&] { const Matrix own = k; return view_matrix(own); }();"
    print "    if (xt::sum(gone)() == Scalar{42}) { return k; }  // dangling view"
  }
  /\/\/ \[1.4 attend_heads\]/ && !seen[4]++ {
    print "    Matrix buffer({8, 3});"
    print "    xt::view(buffer, xt::range(7, 9)) = Matrix({2, 3}, 1.0);  // view past the end"
  }
  /\/\/ \[1.6 projection_multiply_adds\]/ && !seen[6]++ {
    print "    int big = 2147483600;"
    print "    big += 100 * static_cast<int>(d_model);  // overflow"
    print "    if (big != 0) { return static_cast<Count>(big); }"
  }' part1_mha/solution.cpp >"$answer"

build/default/bin/workbook check 1 --sanitize --file "$answer" >"$work/report" 2>&1
code=$?
[ "$code" -eq 1 ] || { echo "FAILED: exit code $code"; failures=$((failures + 1)); }

# shows STEP WHAT COMMENT: the step's report has what happened, and then the line with that comment.
shows() {
  local step
  step=$(sed -n "/^  $1 /,/^  [0-9]\\./p" "$work/report" | tr -s ' \n' ' ')
  if ! grep -qF -- "$2" <<<"$step" || ! grep -qE "answer.cpp:[0-9]+ [^/]*// $3" <<<"$step"; then
    printf 'FAILED: step %s does not show "%s" at the line "// %s":\n%s\n' "$1" "$2" "$3" "$step"
    failures=$((failures + 1))
  fi
}
shows 1.1 'heap-buffer-overflow: writes 4 bytes directly behind the end of a block' 'raw pointer'
shows 1.2 'heap-buffer-overflow: reads 4 bytes directly behind the end of a block' 'lazy reduction'
shows 1.3 'heap-use-after-free: reads 4 bytes of memory that was freed already' 'dangling view'
shows 1.4 'heap-buffer-overflow: writes 24 bytes directly behind the end of a block of 96 bytes' 'view past the end'
shows 1.6 'signed integer overflow' 'overflow'
[ "$failures" -eq 0 ] || cat "$work/report"
finish
