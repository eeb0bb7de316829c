# The committed help texts are those of the commands: cmake -D APP=… -D SOURCE_DIR=… -P help.cmake. With -D WRITE=ON they are
# written.
execute_process(COMMAND ${APP} --write-help OUTPUT_VARIABLE written COMMAND_ERROR_IS_FATAL ANY)
set(file ${SOURCE_DIR}/app/commands/help.txt)
if(WRITE)
  file(WRITE ${file} "${written}")
  message(STATUS "wrote app/commands/help.txt")
  return()
endif()
file(READ ${file} committed)
if(NOT written STREQUAL committed)
  message(FATAL_ERROR "app/commands/help.txt is out of date. Run: cmake --build build/default --target update-help")
endif()
