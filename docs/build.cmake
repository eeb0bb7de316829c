# Builds the site: cmake -P docs/build.cmake. Needs Doxygen and nothing else; the result is build/docs/html.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
set(out ${root}/build/docs)

find_program(DOXYGEN doxygen)
if(NOT DOXYGEN)
  message(FATAL_ERROR "Doxygen was not found. ./workbook docs installs it.")
endif()
execute_process(COMMAND ${DOXYGEN} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^[0-9.]+" version "${version}")

# The theme comes from Debian's package, elsewhere from its repository.
find_path(THEME doxygen-awesome.css PATHS /usr/share/doxygen-awesome-css NO_DEFAULT_PATH)
set(release 2.4.2)
if(NOT THEME)
  set(THEME ${out}/doxygen-awesome-css-${release})
  if(NOT EXISTS ${THEME}/doxygen-awesome.css)
    set(archive ${out}/theme.tar.gz)
    file(DOWNLOAD https://github.com/jothepro/doxygen-awesome-css/archive/refs/tags/v${release}.tar.gz ${archive}
      TLS_VERIFY ON STATUS status)
    list(POP_FRONT status code reason)
    string(REPLACE "\"" "" reason "${reason}")
    if(code EQUAL 0)
      file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${out})
      set(reason "the archive holds no doxygen-awesome.css")
    endif()
    file(REMOVE ${archive})
    if(NOT EXISTS ${THEME}/doxygen-awesome.css)
      message(FATAL_ERROR "doxygen-awesome-css ${release} could not be downloaded: ${reason}. "
        "Put it into ${THEME} by hand, or run this with a network.")
    endif()
  endif()
endif()

# Doxygen's own page header, whichever its version has, with our lines at the end of the head and of the title area, and
# without scripts that would be fetched from elsewhere.
file(MAKE_DIRECTORY ${out})
execute_process(COMMAND ${DOXYGEN} -w html ${out}/header.html ${out}/footer.html ${out}/doxygen.css docs/Doxyfile
  WORKING_DIRECTORY ${root} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(READ ${out}/header.html header)
file(READ ${root}/docs/theme/head.html head)
file(READ ${root}/docs/theme/nav.html nav)
include(${root}/docs/menu.cmake)
menu_of(menu ${root})
string(REPLACE "@menu@\n" "${menu}" nav "${nav}")
string(REPLACE "</head>" "${head}</head>" header "${header}")
string(REPLACE "<!-- end header part -->" "${nav}<!-- end header part -->" header "${header}")
string(REGEX REPLACE "[$](mathjax|mermaidjs|darkmode)" "" header "${header}")
if(NOT header MATCHES "<html[^>]* lang=")
  string(REPLACE "<html " "<html lang=\"en\" " header "${header}")
endif()
file(WRITE ${out}/header.html "${header}")

# Doxygen's own layout without its indexes: theme/nav.html and the page "API" lead to everything.
execute_process(COMMAND ${DOXYGEN} -l ${out}/layout.xml OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(READ ${out}/layout.xml layout)
string(REGEX REPLACE "<navindex>.*</navindex>" "<navindex><tab type=\"mainpage\" visible=\"yes\" title=\"\"/></navindex>"
  layout "${layout}")
file(WRITE ${out}/layout.xml "${layout}")

file(REMOVE_RECURSE ${out}/pages)
include(${root}/docs/mistake_lists.cmake)
write_mistake_lists(${root} ${out}/pages links)
list(JOIN links " ^^" links)  # ^^ ends a line, and a space the name before it

# What learners' headers say, of the parts and follow-ups that there are.
file(READ ${root}/parts.json table)
string(REGEX MATCHALL "\"folder\": \"[^\"]*\"" folders "${table}")
list(TRANSFORM folders REPLACE "\"folder\": " "")
list(JOIN folders " " folders)

file(GLOB interactive ${root}/docs/interactive/*.css ${root}/docs/interactive/*.js ${root}/docs/interactive/*.mjs)
set(extra ${THEME}/doxygen-awesome-darkmode-toggle.js ${root}/docs/theme/workbook.js ${root}/docs/theme/search.js
  ${interactive})
list(JOIN extra "\" \"" extra)
set(doxyfile "@INCLUDE = docs/Doxyfile
OUTPUT_DIRECTORY = \"${out}\"
INPUT += \"${out}/pages\" ${folders}
ALIASES += \"mistake_lists=${links}\"
LAYOUT_FILE = \"${out}/layout.xml\"
HTML_HEADER = \"${out}/header.html\"
HTML_EXTRA_STYLESHEET = \"${THEME}/doxygen-awesome.css\" \"${root}/docs/theme/workbook.css\"
HTML_EXTRA_FILES = \"${extra}\"
")
if(version VERSION_GREATER_EQUAL 1.9.5)
  string(APPEND doxyfile "HTML_COLORSTYLE = LIGHT\n")  # dark and light are the theme's
endif()
if(version VERSION_GREATER_EQUAL 1.10)
  string(APPEND doxyfile "HTML_COPY_CLIPBOARD = NO\nHTML_CODE_FOLDING = NO\n")
endif()
if(version VERSION_GREATER_EQUAL 1.14)
  string(APPEND doxyfile "PAGE_OUTLINE_PANEL = NO\n")
endif()
file(WRITE ${out}/Doxyfile "${doxyfile}")

file(REMOVE_RECURSE ${out}/html)
execute_process(COMMAND ${DOXYGEN} ${out}/Doxyfile WORKING_DIRECTORY ${root} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  file(REMOVE_RECURSE ${out}/html)  # a site that Doxygen warns about is not complete
  message(FATAL_ERROR "Doxygen found faults, each of which it names above.")
endif()

include(${root}/docs/finish.cmake)
finish_site(${out}/html)
