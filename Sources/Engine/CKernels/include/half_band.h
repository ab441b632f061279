// One plane of a half-band filter whose samples lie in several planes.
#ifndef CKERNELS_HALF_BAND_H
#define CKERNELS_HALF_BAND_H

#include <stddef.h>

enum { HALF_BAND_LANES = 16 };

/// Two samples of one weight, at the first frame.
typedef struct {
  const float *_Nonnull earlier;
  const float *_Nonnull later;
} half_band_pair;

/// Finds frames, none of the operations fused:
///
///     output[n] = centre[n] / 2 + sum over k, from 0 up, of weights[k] * (pairs[k].earlier[n] + pairs[k].later[n])
///
/// As many frames as are a multiple of `HALF_BAND_LANES` are read and written. The bits do not depend on the
/// instruction set.
///
/// - centre: null: without that term.
void half_band_sum(
    const half_band_pair *_Nonnull pairs, const float *_Nonnull weights, ptrdiff_t count, const float *_Nullable centre,
    float *_Nonnull output, ptrdiff_t frames);

#endif
