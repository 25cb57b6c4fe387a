# Compiles the sources of a target in batches: most of the time of a small source goes into headers. The preset dev compiles them one by one.
option(SYMDYN_UNITY "Compile sources in batches" ON)

# Batches do not cross folders of the top level: a new source in one of them leaves the batches of the others as they are.
function(symdyn_unity target) # SOURCE... that are compiled alone: they take long, or instantiate a class template that another source instantiates
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SYMDYN_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    string(REPLACE ${CMAKE_SOURCE_DIR}/ "" name "${source}")
    string(REGEX REPLACE "/.*" "" room "${name}")
    if("${name}" IN_LIST ARGN OR "${source}" IN_LIST ARGN)
      continue()
    endif()
    list(APPEND members_${room} ${source})
    list(LENGTH members_${room} count)
    math(EXPR batch "(${count} - 1) / 16")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${batch})
  endforeach()
  if(ARGN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
