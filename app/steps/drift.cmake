# Fails when a committed exercise.cpp is not the skeleton of its solution. Only the project itself is checked (CI=true): in a
# learner's checkout the exercises are meant to differ.
if(NOT "$ENV{CI}" STREQUAL "true")
  message("skipped: exercises may differ outside continuous integration")
  return()
endif()
separate_arguments(FOLDERS)
foreach(folder ${FOLDERS})
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files
    ${SOURCE_DIR}/${folder}/exercise.cpp ${SKELETONS_DIR}/${folder}/exercise.cpp
    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
  if(differs)
    message(SEND_ERROR "${folder}/exercise.cpp is not the skeleton of ${folder}/solution.cpp. "
      "Run: cmake --build --preset default --target update-skeletons")
  endif()
endforeach()
