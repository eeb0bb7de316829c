# docs/interactive/interactive_data.js is what interactive_data writes.
execute_process(COMMAND ${PROGRAM} ${DOCS_DIR}/models.json ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUTPUT} ${DOCS_DIR}/interactive/interactive_data.js
  RESULT_VARIABLE different)
if(different)
  message(FATAL_ERROR "docs/interactive/interactive_data.js is not up to date. To write it again:\n"
    "  cmake --build --preset default --target update-interactive-data")
endif()
