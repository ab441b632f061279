// Runs on the render thread: no allocation, no lock. A lane is an output frame, so that each frame's sum goes through
// the taps in order.
#include "fir.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

typedef float lanes16 __attribute__((vector_size(64)));
typedef float lanes16_anywhere __attribute__((vector_size(64), aligned(4)));

enum { lanes = 16 };

// VECTORS × 16 frames at a time.
#define BLOCK(name, vectors)                                                                                   \
  INLINE void name(const float *taps, ptrdiff_t tap_count, const float *input, float *output) {                \
    lanes16 total[vectors] = {};                                                                               \
    for (ptrdiff_t k = 0; k < tap_count; k++) {                                                                \
      const float tap = taps[k];                                                                               \
      _Pragma("clang loop unroll(full)") for (int v = 0; v < vectors; v++) total[v] +=                         \
          tap * *(const lanes16_anywhere *)(input + v * lanes - k);                                            \
    }                                                                                                          \
    _Pragma("clang loop unroll(full)") for (int v = 0; v < vectors; v++) *(lanes16_anywhere *)(output + v * lanes) = \
        total[v];                                                                                              \
  }

BLOCK(block_of_four, 4)
BLOCK(block_of_one, 1)

INLINE void process(const float *taps, ptrdiff_t tap_count, const float *input, float *output, ptrdiff_t frames) {
  ptrdiff_t n = 0;
  for (; n + 4 * lanes <= frames; n += 4 * lanes) block_of_four(taps, tap_count, input + n, output + n);
  for (; n + lanes <= frames; n += lanes) block_of_one(taps, tap_count, input + n, output + n);
  if (n < frames && frames >= lanes) {
    // The last frames once more, with some before them: the same sums.
    block_of_one(taps, tap_count, input + frames - lanes, output + frames - lanes);
    return;
  }
  for (; n < frames; n++) {
    float total = 0;
    for (ptrdiff_t k = 0; k < tap_count; k++) total += taps[k] * input[n - k];
    output[n] = total;
  }
}

KERNEL(
    void, fir_process, process,
    (const float *taps, ptrdiff_t tap_count, const float *input, float *output, ptrdiff_t frames),
    (taps, tap_count, input, output, frames))
