// Runs on the render thread: no allocation, no lock. A lane is a frame, the last lane the one nearest to the peak.
#include "limiter.h"

#include "instruction_set.h"

#pragma STDC FP_CONTRACT OFF

typedef float lanes16 __attribute__((ext_vector_type(LIMITER_LANES)));
typedef float lanes16_anywhere __attribute__((ext_vector_type(LIMITER_LANES), aligned(4)));

#define INLINE static inline __attribute__((always_inline))

INLINE bool lower(float *gains, ptrdiff_t first, ptrdiff_t end, float needed, float rise) {
  const lanes16 steps = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  ptrdiff_t k = first;
  for (; k + LIMITER_LANES <= end; k += LIMITER_LANES) {
    lanes16_anywhere *place = (lanes16_anywhere *)(gains - k - (LIMITER_LANES - 1));
    const lanes16 line = needed + rise * ((float)k + steps), before = *place;
    *place = line < before ? line : before;
    // Two lines to 1 cross once at most, so that the farthest lane decides.
    if (before.s0 <= line.s0) return true;
  }
  for (; k < end; k++) {
    const float line = needed + rise * (float)k;
    if (gains[-k] <= line) return true;
    gains[-k] = line;
  }
  return false;
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512vl,avx512dq"))) static bool lower_avx512(
    float *gains, ptrdiff_t first, ptrdiff_t end, float needed, float rise) {
  return lower(gains, first, end, needed, rise);
}
__attribute__((target("avx2"))) static bool lower_avx2(
    float *gains, ptrdiff_t first, ptrdiff_t end, float needed, float rise) {
  return lower(gains, first, end, needed, rise);
}
#endif

bool limiter_lower(float *gains, ptrdiff_t first, ptrdiff_t end, float needed, float rise) {
#if defined(__x86_64__)
  switch (kernels_active_instruction_set()) {
    case KERNELS_AVX512: return lower_avx512(gains, first, end, needed, rise);
    case KERNELS_AVX2: return lower_avx2(gains, first, end, needed, rise);
    case KERNELS_BASELINE: break;
  }
#endif
  return lower(gains, first, end, needed, rise);
}
