# ./workbook bench. Its programs have build folders of their own.
#: summary measure what attention costs on this machine, beside the least it can cost; takes less than three minutes
#: place 110
#: option --quick | measure a few cases, in less than 20 seconds
#: option --mine | measure your files (worked ones where yours are empty) beside the worked solutions; never part of a grade
#: option --double | use double instead of float
#: option --native | compile for this processor alone
#: option --json | print all numbers as JSON

# The commit that is measured.
measured_commit() {
  local changes=""
  git -C "$root" diff --quiet HEAD -- . ':!docs/figures' 2>/dev/null || changes=" with changes"
  echo "$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)$changes"
}

# Prints NAME FOLDER of each part, line by line.
parts() {
  sed -n '/"parts"/,/\]/s/.*"name": "\([^"]*\)", "folder": "\([^"]*\)".*/\1 \2/p' "$root/parts.json"
}

# Prints NAME FILE of each part: the learner's file, and the worked one for what is still empty.
files_to_measure() {
  local name folder
  while read -r name folder; do
    if cmp -s "$root/$folder/exercise.cpp" "$build/skeletons/$folder/exercise.cpp"; then
      echo "$name $folder/solution.cpp"
    else
      echo "$name $folder/exercise.cpp"
    fi
  done < <(parts)
}

# build_mine FILES: builds bench_mine of those files.
build_mine() {
  local name file source log=$root/build/build.log
  while read -r name file; do
    source=$build/graded/mine_$name.cpp
    [ "$(cat "$source")" = "#include \"$root/$file\"" ] || echo "#include \"$root/$file\"" >"$source"
  done <<<"$1"
  cmake --build "$build" --target bench_mine >"$log" 2>&1 && return
  grep -E 'error: |undefined reference' "$log" | head -n 3 >&2 || { cat "$log" >&2; fail "The workbook could not be built."; }
  echo "Your files do not compile. ./workbook check shows all that is wrong with them." >&2
  exit 1
}

bench_mine() {
  local files names
  cmake --build "$build" --target exercises >/dev/null
  files=$(files_to_measure)
  case $files in
    *exercise.cpp*) ;;
    *) echo "Your files are still empty. Write a part first; the others may be the worked ones." >&2; exit 1 ;;
  esac
  build_mine "$files"
  names=$(sed 's/^[^ ]* //' <<<"$files")
  echo "The worked solutions first, to compare with." >&2
  "$build/bin/bench" --steps --json "$@" >"$build/worked.json"
  printf '\n%s\n' "Now your files." >&2
  exec "$build/bin/bench_mine" --steps --against "$build/worked.json" --files "${names//$'\n'/, }" "$@"
}

run() {
  local argument mine=no
  local passed=()
  preset=bench
  for argument in "$@"; do
    case $argument in
      --mine) mine=yes ;;
      --double) preset=bench-double ;;
      --native) preset=bench-native ;;
      --quick|--json) passed+=("$argument") ;;
      *) echo "bench: --quick, --mine, --double, --native or --json was expected, got $argument" >&2; exit 2 ;;
    esac
  done
  build=$root/build/$preset
  needed="build bench"
  # These slow OpenBLAS down where they are set. One thread unless told otherwise, and as many for OpenBLAS.
  unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
  export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
  export OPENBLAS_NUM_THREADS=$OMP_NUM_THREADS
  build_target bench bench >&2  # standard output may be JSON
  passed+=(--commit "$(measured_commit)")
  if [ $mine = yes ]; then
    bench_mine "${passed[@]}"
  else
    exec "$build/bin/bench" "${passed[@]}"
  fi
}
