// Compiled for the plainest processor and run before everything else: a processor without the instructions of this build
// gets a sentence, not SIGILL.
#include <unistd.h>

#include <cstring>

namespace
{
bool can_run()
{
  __builtin_cpu_init();
  bool able = true;
#ifdef SYMDYN_NEEDS_AVX2
  able = able && __builtin_cpu_supports("avx2");
#endif
#ifdef SYMDYN_NEEDS_FMA
  able = able && __builtin_cpu_supports("fma");
#endif
#ifdef SYMDYN_NEEDS_AVX512F
  able = able && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  return able;
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
