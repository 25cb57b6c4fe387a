# Compiles the sources of a target in batches: most of the time of a small source goes into headers. The preset dev compiles them one by one.
option(SYMDYN_UNITY "Compile sources in batches" ON)

function(symdyn_unity target) # SOURCE... that are compiled alone: they take long, or instantiate a class template that another source instantiates
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SYMDYN_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  if(ARGN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
