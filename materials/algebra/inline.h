#pragma once

/// For arithmetic of a few operations on Wide numbers: a call would pass 64 bytes a number through memory.
#define SYMDYN_INLINE inline __attribute__((always_inline))
