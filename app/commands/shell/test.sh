# ./workbook test.
#: summary run the project's own tests; they leave your files alone
#: place 120
#: option --full | also grade a wrong solution for each known mistake; takes a quarter of an hour
#: option --long | instead, grade thousands of answers with one small change in each; takes most of an hour

run() {
  local tests
  case "$#${1:-}" in
    0) tests=project ;;
    1--full) tests=full ;;
    1--long) tests=long ;;
    *) echo "./workbook test takes no arguments but --full or --long" >&2; exit 2 ;;
  esac
  build_target project_tests project_tests
  cd "$root"
  # One more than there are processors: some tests wait.
  exec ctest --preset $tests --parallel "$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1))"
}
