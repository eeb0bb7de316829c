# ./workbook docs. Needs Doxygen and no compiler.
#: summary build the site: explanations, worked solutions and the API, to read in a browser
#: place 130

run() {
  [ $# -eq 0 ] || { echo "./workbook docs takes no arguments" >&2; exit 2; }
  needed=docs
  tool=doxygen
  [ -f "$root/build/docs/html/index.html" ] || install_missing
  expect_cmake
  cmake -P "$root/docs/build.cmake" || fail "The site could not be built; the messages above say why."
  cat <<TEXT
The site is built. Open it in a browser:

  $root/build/docs/html/index.html

If your browser runs on another machine, serve it from here:

  python3 -m http.server 8000 --directory "$root/build/docs/html"
TEXT
}
