# Writes the generated skeletons over the committed exercises. A file that somebody has edited stays as it is: only one that
# equals the last commit, or what this script wrote last, is replaced.
separate_arguments(FOLDERS)
foreach(folder ${FOLDERS})
  set(exercise ${SOURCE_DIR}/${folder}/exercise.cpp)
  set(skeleton ${SKELETONS_DIR}/${folder}/exercise.cpp)
  set(last ${SKELETONS_DIR}/${folder}/exercise.written)
  execute_process(COMMAND git diff --quiet HEAD -- ${exercise}
    WORKING_DIRECTORY ${SOURCE_DIR} RESULT_VARIABLE differs_from_commit OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${exercise} ${last}
    RESULT_VARIABLE differs_from_last OUTPUT_QUIET ERROR_QUIET)
  if(EXISTS ${exercise} AND differs_from_commit AND differs_from_last)
    message(SEND_ERROR "${folder}/exercise.cpp has been edited; it was not overwritten. "
      "To get the new skeleton, move your file away first.")
  else()
    configure_file(${skeleton} ${exercise} COPYONLY)
    configure_file(${skeleton} ${last} COPYONLY)
    message(STATUS "wrote ${folder}/exercise.cpp")
  endif()
endforeach()
