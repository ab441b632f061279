// Levels of float planes.
// Runs on any thread, the render thread too: no allocation, no state.

#include <string.h>

#include "levels.h"
#include "instruction_set.h"

// Without their sign floats are ordered as their bit patterns are, with NaN above infinity.
static inline __attribute__((always_inline)) float largest(const float *in, size_t count) {
  int32_t peak = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t word;
    memcpy(&word, in + i, 4);
    word &= 0x7FFFFFFF;
    peak = word > peak ? word : peak;
  }
  float value;
  memcpy(&value, &peak, 4);
  return value;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static float largest_avx2(const float *in, size_t count) { return largest(in, count); }
#endif

float levels_absolute_peak(const float *in, size_t count) {
#if defined(__x86_64__)
  if (kernels_active_instruction_set() >= KERNELS_AVX2) return largest_avx2(in, count);
#endif
  return largest(in, count);
}
