# cmake --install BUILD --prefix X, and find_package(symdyn) with the target symdyn::symdyn for those who build on it.
include(CMakePackageConfigHelpers)
set(symdyn_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/symdyn)

set_target_properties(symdyn_library PROPERTIES EXPORT_NAME symdyn)
add_library(symdyn::symdyn ALIAS symdyn_library)
install(TARGETS symdyn_library dependencies EXPORT symdyn_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS symdyn_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS symdyn_render RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/symdyn COMPONENT program)
# The same program under the name by which front-ends of CalculiX start it.
install(CODE "file(CREATE_LINK ../${CMAKE_INSTALL_LIBEXECDIR}/symdyn/symdyn-render \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/symdyn-ccx SYMBOLIC)" COMPONENT program)
install(EXPORT symdyn_targets NAMESPACE symdyn:: FILE symdynTargets.cmake DESTINATION ${symdyn_cmake_folder} COMPONENT development)

# Words that bash completes. Not where sanitizers would run in the build.
if(NOT SYMDYN_SANITIZE AND NOT SYMDYN_FUZZ)
  set(completion ${PROJECT_BINARY_DIR}/completion/symdyn)
  add_custom_command(OUTPUT ${completion} COMMAND symdyn_program completion bash > ${completion} DEPENDS symdyn_program symdyn_library VERBATIM)
  add_custom_target(symdyn_completion ALL DEPENDS ${completion})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
  install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
endif()

# Headers are found as "solver/x.h", as in the source tree.
install(DIRECTORY solver elements materials integrators meshes DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/symdyn COMPONENT development
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY decks/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/symdyn/decks COMPONENT program)
install(DIRECTORY paraview DESTINATION ${CMAKE_INSTALL_DATADIR}/symdyn COMPONENT program PATTERN "__pycache__" EXCLUDE)

string(REPLACE ";" " " SYMDYN_INSTRUCTION_SET_TEXT "${SYMDYN_INSTRUCTION_SET}")
string(REPLACE "SYMDYN_NEEDS_" "" SYMDYN_CPU_FEATURES_TEXT "${SYMDYN_CPU_NEEDS}")
string(REPLACE ";" " " SYMDYN_CPU_FEATURES_TEXT "${SYMDYN_CPU_FEATURES_TEXT}")
configure_package_config_file(cmake/symdynConfig.cmake.in ${PROJECT_BINARY_DIR}/symdynConfig.cmake
                              INSTALL_DESTINATION ${symdyn_cmake_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/symdynConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/symdynConfig.cmake ${PROJECT_BINARY_DIR}/symdynConfigVersion.cmake
        DESTINATION ${symdyn_cmake_folder} COMPONENT development)
