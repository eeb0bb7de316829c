# ./workbook help. The texts are in help.txt, so they are there before anything is built.
#: summary show this text
#: place 160

run() {
  [ $# -eq 0 ] && set -- help
  if [ -z "$(target_of "$1")" ]; then
    echo "There is no command '$1'. Try ./workbook help." >&2
    exit 2
  fi
  help_of "$1"
}
