# Makes pictures again and compares them with the committed ones, or with -D UPDATE=ON replaces those.
file(REMOVE_RECURSE ${MADE_DIR})
file(MAKE_DIRECTORY ${MADE_DIR})
execute_process(COMMAND ${DRAW_FIGURES} ${FIGURES_DIR} ${MADE_DIR} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB made RELATIVE ${MADE_DIR} ${MADE_DIR}/*.svg)
file(GLOB committed RELATIVE ${FIGURES_DIR}/svg ${FIGURES_DIR}/svg/*.svg)

set(differing)
foreach(figure IN LISTS made)
  file(SHA256 ${MADE_DIR}/${figure} now)
  set(before "")
  if(EXISTS ${FIGURES_DIR}/svg/${figure})
    file(SHA256 ${FIGURES_DIR}/svg/${figure} before)
  endif()
  if(NOT now STREQUAL before)
    list(APPEND differing ${figure})
  endif()
endforeach()
list(REMOVE_ITEM committed ${made})

if(UPDATE)
  foreach(figure IN LISTS differing)
    file(COPY ${MADE_DIR}/${figure} DESTINATION ${FIGURES_DIR}/svg)
    message(STATUS "drawn: docs/figures/svg/${figure}")
  endforeach()
  foreach(figure IN LISTS committed)
    file(REMOVE ${FIGURES_DIR}/svg/${figure})
    message(STATUS "removed: docs/figures/svg/${figure}")
  endforeach()
elseif(differing OR committed)
  list(JOIN differing " " differing)
  list(JOIN committed " " committed)
  message(FATAL_ERROR "Pictures in docs/figures/svg are not what draw_figures draws now. "
    "Differing or missing: ${differing}. No longer drawn: ${committed}. "
    "To replace them: cmake --build --preset default --target update-figures")
endif()

file(REMOVE_RECURSE ${MADE_DIR})  # Doxygen looks for pictures by name, and must find one of each
