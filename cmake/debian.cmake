# Debian packages: cmake --preset package && cmake --build --preset package && cmake --build --preset package --target package
# symdyn (programs), libsymdyn0, libsymdyn-dev (headers, find_package), python3-symdyn.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME symdyn)
set(CPACK_PACKAGE_CONTACT "symdyn maintainers <maintainers@symdyn.invalid>" CACHE STRING "who maintains the packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CMAKE_SKIP_PACKAGE_ALL_DEPENDENCY ON)  # tests are not packaged
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

function(symdyn_debian component name section description depends)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${description}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/copyright ${PROJECT_BINARY_DIR}/debian/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endfunction()

find_program(GZIP gzip REQUIRED)
string(TIMESTAMP symdyn_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian/changelog.in ${PROJECT_BINARY_DIR}/debian/changelog @ONLY)
execute_process(COMMAND ${GZIP} -9nf ${PROJECT_BINARY_DIR}/debian/changelog COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${GZIP} -9nc ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/symdyn.1 OUTPUT_FILE ${PROJECT_BINARY_DIR}/debian/symdyn.1.gz
                COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/debian/symdyn.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/debian/symdyn.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME symdyn-ccx.1.gz COMPONENT program)

math(EXPR symdyn_next_python "${Python3_VERSION_MINOR} + 1")
set(library "libsymdyn0 (= ${PROJECT_VERSION})")
symdyn_debian(program symdyn science "structural dynamics with structure-preserving time steppers
A finite-element solver of decks (.prm, .json, .inp of CalculiX) for
statics, vibration and nonlinear motion. Its time steppers keep
energy, momenta or the symplectic form, and prove it. Results are VTK
files for ParaView, CSV and JSON." "${library}, openmpi-bin")
symdyn_debian(library libsymdyn0 libs "structural dynamics with structure-preserving time steppers (library)
What the program symdyn, its Python package and programs of your own
compute with." "")
symdyn_debian(development libsymdyn-dev libdevel "structural dynamics with structure-preserving time steppers (headers)
Headers, and find_package(symdyn) for CMake." "${library}, libdeal.ii-dev, libfmt-dev, nlohmann-json3-dev")
symdyn_debian(python python3-symdyn python "structural dynamics with structure-preserving time steppers (Python)
Runs decks, steps through models, reads results, and adds loads and
schemes in Python." "${library}, python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}), python3 (<< ${Python3_VERSION_MAJOR}.${symdyn_next_python}), python3-numpy")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libopenblas0, xvfb, xauth, libgl1-mesa-dri")
set(CPACK_COMPONENTS_ALL program library development python)
include(CPack)
