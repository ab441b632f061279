// Runs on the render thread: no allocation, no lock.
#include "mix.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

// Each frame depends on that frame alone, also where both planes are the same: no check for overlaps.

INLINE void scale(float *out, const float *in, float gain, ptrdiff_t frames) {
#pragma clang loop vectorize(assume_safety)
  for (ptrdiff_t n = 0; n < frames; n++) out[n] = in[n] * gain;
}

KERNEL(
    void, mix_scale, scale, (float *out, const float *in, float gain, ptrdiff_t frames), (out, in, gain, frames))

INLINE void accumulate(float *out, const float *in, float gain, ptrdiff_t frames) {
#pragma clang loop vectorize(assume_safety)
  for (ptrdiff_t n = 0; n < frames; n++) out[n] = out[n] + in[n] * gain;
}

KERNEL(
    void, mix_accumulate, accumulate, (float *out, const float *in, float gain, ptrdiff_t frames), (out, in, gain, frames))
