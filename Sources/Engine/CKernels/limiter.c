// Runs on the render thread: no allocation, no lock. A lane is a frame, the last lane the one nearest to the peak.
#include "limiter.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

typedef float lanes16 __attribute__((ext_vector_type(LIMITER_LANES)));
typedef float lanes16_anywhere __attribute__((ext_vector_type(LIMITER_LANES), aligned(4)));

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

KERNEL(
    bool, limiter_lower, lower, (float *gains, ptrdiff_t first, ptrdiff_t end, float needed, float rise),
    (gains, first, end, needed, rise))
