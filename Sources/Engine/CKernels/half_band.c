// Runs on the render thread: no allocation, no lock. A lane is an output frame, so that each frame's sum goes through
// the pairs in order.
#include "half_band.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

typedef float lanes16 __attribute__((vector_size(64)));
typedef float lanes16_anywhere __attribute__((vector_size(64), aligned(4)));

#define LOAD(from) (*(const lanes16_anywhere *)(from))

// VECTORS × 16 frames at a time.
#define BLOCK(name, vectors)                                                                                     \
  INLINE void name(                                                                                              \
      const half_band_pair *pairs, const float *weights, ptrdiff_t count, const float *centre, float *output,    \
      ptrdiff_t at) {                                                                                            \
    lanes16 total[vectors] = {};                                                                                 \
    if (centre) {                                                                                                \
      _Pragma("clang loop unroll(full)") for (int v = 0; v < vectors; v++) total[v] =                            \
          0.5f * LOAD(centre + at + v * HALF_BAND_LANES);                                                        \
    }                                                                                                            \
    for (ptrdiff_t k = 0; k < count; k++) {                                                                      \
      const float weight = weights[k], *earlier = pairs[k].earlier + at, *later = pairs[k].later + at;           \
      _Pragma("clang loop unroll(full)") for (int v = 0; v < vectors; v++) total[v] +=                           \
          weight * (LOAD(earlier + v * HALF_BAND_LANES) + LOAD(later + v * HALF_BAND_LANES));                    \
    }                                                                                                            \
    _Pragma("clang loop unroll(full)") for (int v = 0; v < vectors; v++) *(                                      \
        lanes16_anywhere *)(output + at + v * HALF_BAND_LANES) = total[v];                                       \
  }

BLOCK(block_of_two, 2)
BLOCK(block_of_one, 1)

INLINE void sum(
    const half_band_pair *pairs, const float *weights, ptrdiff_t count, const float *centre, float *output,
    ptrdiff_t frames) {
  ptrdiff_t at = 0;
  for (; at + HALF_BAND_LANES < frames; at += 2 * HALF_BAND_LANES) {
    block_of_two(pairs, weights, count, centre, output, at);
  }
  if (at < frames) block_of_one(pairs, weights, count, centre, output, at);
}

KERNEL(
    void, half_band_sum, sum,
    (const half_band_pair *pairs, const float *weights, ptrdiff_t count, const float *centre, float *output,
     ptrdiff_t frames),
    (pairs, weights, count, centre, output, frames))
