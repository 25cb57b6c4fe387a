// A processor that lacks everything: what solver/program/cpu_check.cc does there.
#define __builtin_cpu_supports(feature) false
#define SYMDYN_NEEDS_AVX2
#include "solver/program/cpu_check.cc"

int main() { return 0; }
