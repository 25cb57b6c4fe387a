// Compiled for the plainest processor and run before everything else: a processor without the instructions of this build
// gets a sentence, not SIGILL.
#include <unistd.h>

#include <cstring>

namespace
{
#define SYMDYN_REQUIRE(feature) able = able && __builtin_cpu_supports(feature)

bool has_wide_vectors()
{
  bool able = true;
#ifdef SYMDYN_NEEDS_AVX512F
  SYMDYN_REQUIRE("avx512f");
  SYMDYN_REQUIRE("avx512dq");
  SYMDYN_REQUIRE("avx512bw");
  SYMDYN_REQUIRE("avx512vl");
#endif
#ifdef SYMDYN_NEEDS_AVX512VBMI
  SYMDYN_REQUIRE("avx512vbmi");
#endif
#ifdef SYMDYN_NEEDS_AVX512VBMI2
  SYMDYN_REQUIRE("avx512vbmi2");
#endif
#ifdef SYMDYN_NEEDS_AVX512VNNI
  SYMDYN_REQUIRE("avx512vnni");
#endif
#ifdef SYMDYN_NEEDS_AVX512BITALG
  SYMDYN_REQUIRE("avx512bitalg");
#endif
#ifdef SYMDYN_NEEDS_AVX512VPOPCNTDQ
  SYMDYN_REQUIRE("avx512vpopcntdq");
#endif
  return able;
}

bool can_run()
{
  __builtin_cpu_init();
  bool able = true;
#ifdef SYMDYN_NEEDS_AVX2
  SYMDYN_REQUIRE("avx2");
#endif
#ifdef SYMDYN_NEEDS_FMA
  SYMDYN_REQUIRE("fma");
#endif
#ifdef SYMDYN_NEEDS_BMI
  SYMDYN_REQUIRE("bmi");
#endif
#ifdef SYMDYN_NEEDS_BMI2
  SYMDYN_REQUIRE("bmi2");
#endif
#if defined SYMDYN_NEEDS_LZCNT && !defined __clang__  // which does not know the name
  SYMDYN_REQUIRE("lzcnt");
#endif
#if defined SYMDYN_NEEDS_F16C && !defined __clang__
  SYMDYN_REQUIRE("f16c");
#endif
  return able && has_wide_vectors();
}

void check()
{
  if (can_run())
    return;
  const char *text =
      "symdyn: this program was built for a newer processor (instructions are missing here).\n"
      "Build it on this machine, or with: cmake --preset portable && cmake --build --preset portable\n";
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
    _exit(1);
  _exit(1);
}

// The preinit array of an executable runs before the initialisers of its shared libraries.
__attribute__((section(".preinit_array"), used)) void (*const run_first)() = check;
}  // namespace
