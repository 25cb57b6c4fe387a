# cmake -D PROGRAM=... -P old_processor.cmake: the program must refuse to start, with a sentence and exit code 1.
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT code EQUAL 1 OR NOT error MATCHES "built for a newer processor.*cmake --preset portable" OR NOT output STREQUAL "")
  message(FATAL_ERROR "exit code ${code}, standard output '${output}', standard error '${error}'")
endif()
