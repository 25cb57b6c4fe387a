# One instruction set for the whole build: templates of deal.II headers are shared between translation units, so a mix would
# put AVX-512 code where an older processor runs it.
set(SYMDYN_ARCH native CACHE STRING "-march of the whole build: native, x86-64-v3, ...")
set(SYMDYN_INSTRUCTION_SET -march=${SYMDYN_ARCH})
if(SYMDYN_ARCH STREQUAL native)
  list(APPEND SYMDYN_INSTRUCTION_SET -mprefer-vector-width=512)
endif()

# What the processor must have: asked of the compiler, checked by solver/program/cpu_check.cc when the program starts.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=${SYMDYN_ARCH} -dM -E -x c++ /dev/null OUTPUT_VARIABLE macros)
set(SYMDYN_CPU_NEEDS)
foreach(feature AVX2 FMA BMI BMI2 LZCNT F16C AVX512F AVX512VBMI AVX512VBMI2 AVX512VNNI AVX512BITALG AVX512VPOPCNTDQ)
  if(macros MATCHES "#define __${feature}__ 1")
    list(APPEND SYMDYN_CPU_NEEDS SYMDYN_NEEDS_${feature})
  endif()
endforeach()
