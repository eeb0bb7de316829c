# The committed help texts are those of the commands: cmake -D APP=… -D SOURCE_DIR=… -P help_test.cmake
execute_process(COMMAND ${APP} --write-help OUTPUT_VARIABLE written COMMAND_ERROR_IS_FATAL ANY)
file(READ ${SOURCE_DIR}/app/commands/help.txt committed)
if(NOT written STREQUAL committed)
  message(FATAL_ERROR "app/commands/help.txt is out of date. Run: cmake --build build/default --target update-help")
endif()
