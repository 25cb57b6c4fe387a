# The files that see the text of a deck or of a mesh file are compiled with sanitizers and the fuzzer's counters. Kernels and solvers never see it,
# and would take most of the time; the preset asan has all.
set(readers ${rooms})
list(FILTER readers INCLUDE REGEX
     "/meshes/|/solver/deck/|/solver/base/(names|text_file)|/solver/run/run_deck|/solver/stages/(stage_list|scheme_choice|motion_declare)|/solver/results/recorder|/elements/(models/solid_deck|lumped/(point_sections|model)|loads/(amplitude|base_motion))")
list(REMOVE_ITEM rooms ${readers})
add_library(symdyn_readers OBJECT ${readers})
target_link_libraries(symdyn_readers PRIVATE dependencies)
target_compile_definitions(symdyn_readers PRIVATE SYMDYN_VERSION="${PROJECT_VERSION}" _GLIBCXX_ASSERTIONS)
target_compile_options(symdyn_readers PRIVATE -g1 -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow,fuzzer-no-link)
target_precompile_headers(symdyn_readers PRIVATE cmake/precompiled.h)
