# ./workbook clean. Build folders only: answers, progress and backups lie elsewhere.
#: summary list the build folders with their sizes, and remove them if you agree
#: place 150
#: option --yes | remove them without asking

run() {
  local answer=n
  case "$#${1:-}" in
    0) ;;
    1--yes) answer=y ;;
    *) echo "./workbook clean takes no arguments but --yes" >&2; exit 2 ;;
  esac
  if [ ! -d "$root/build" ]; then
    echo "There is nothing to remove: nothing is built."
    return
  fi
  (cd "$root" && find build/ -mindepth 1 -maxdepth 1 -type d -exec du -sh {} + && du -sh build/)
  if [ $answer = n ]; then
    printf 'Remove build/? Your answers, progress and backups stay. [y/N] '
    read -r answer || echo
  fi
  case $answer in
    y|Y|yes) rm -rf "$root/build"; echo "build/ is removed; the next command builds it again, in a few minutes." ;;
    *) echo "Nothing was removed."; exit 1 ;;
  esac
}
