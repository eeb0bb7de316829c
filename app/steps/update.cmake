# Writes the generated skeletons over the committed exercises. A file that somebody has edited stays as it is, committed or
# not: only the skeleton of the last committed solution, or what this script wrote last, is replaced.
separate_arguments(FOLDERS)
foreach(folder ${FOLDERS})
  set(exercise ${SOURCE_DIR}/${folder}/exercise.cpp)
  set(skeleton ${SKELETONS_DIR}/${folder}/exercise.cpp)
  set(last ${SKELETONS_DIR}/${folder}/exercise.written)
  set(committed ${SKELETONS_DIR}/${folder}/committed)
  execute_process(COMMAND git show HEAD:${folder}/solution.cpp
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_FILE ${committed}.solution.cpp ERROR_QUIET)
  execute_process(COMMAND ${STEPS} skeleton ${committed}.solution.cpp ${committed}.exercise.cpp ERROR_QUIET)
  set(edited TRUE)
  foreach(untouched ${skeleton} ${last} ${committed}.exercise.cpp)
    execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${exercise} ${untouched}
      RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
    if(NOT differs)
      set(edited FALSE)
    endif()
  endforeach()
  if(EXISTS ${exercise} AND edited)
    message(SEND_ERROR "${folder}/exercise.cpp has been edited; it was not overwritten. "
      "To get the new skeleton, move your file away first.")
  else()
    configure_file(${skeleton} ${exercise} COPYONLY)
    configure_file(${skeleton} ${last} COPYONLY)
    message(STATUS "wrote ${folder}/exercise.cpp")
  endif()
endforeach()
