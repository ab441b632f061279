// Sums of float planes.
#ifndef CKERNELS_MIX_H
#define CKERNELS_MIX_H
#include <stddef.h>

/// out = in × gain. `out` may be `in`, and overlaps it in no other way.
void mix_scale(float *out, const float *in, float gain, ptrdiff_t frames);

/// out = out + in × gain: the product is rounded, then the sum. `out` may be `in`, and overlaps it in no other way.
void mix_accumulate(float *out, const float *in, float gain, ptrdiff_t frames);

#endif
